// Sliders for the sizes of a layout, a choice of colours; what is under the pointer is told.
function render({ model, el }) {
  el.classList.add("layoutalg");
  const controls = document.createElement("div");
  const picture = document.createElement("div");
  const path = document.createElement("div");
  path.setAttribute("aria-live", "polite");
  path.style.cssText = "min-height: 1.4em; font-size: 13px";
  controls.style.cssText = "display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; align-items: center";
  picture.style.cssText = "overflow-x: auto";
  el.append(controls, path, picture);
  for (const { name, low, high, step } of model.get("limits")) {
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "range", min: low, max: high, step });
    const shown = document.createElement("output");
    input.value = model.get("sizes")[name];
    shown.value = ` ${input.value} `;
    input.addEventListener("input", () => {
      shown.value = ` ${input.value} `;
    });
    input.addEventListener("change", () => {
      model.set("sizes", { ...model.get("sizes"), [name]: Number(input.value) });
      model.save_changes();
    });
    label.append(`${name} = `, shown, input);
    controls.append(label);
  }
  const colours = document.createElement("select");
  const choose = () => {
    const names = ["", ...(model.get("colours") ?? [])];
    colours.replaceChildren(...names.map((name) => new Option(name || "by default", name)));
    colours.value = model.get("colour") ?? "";
  };
  colours.addEventListener("change", () => {
    model.set("colour", colours.value);
    model.save_changes();
  });
  const label = document.createElement("label");
  label.append("colour ", colours);
  controls.append(label);
  const draw = () => {
    picture.innerHTML = model.get("html");
  };
  model.on("change:html", draw);
  model.on("change:colours", choose);
  picture.addEventListener("pointerover", (event) => {
    const note = event.target.querySelector?.(":scope > title");
    path.textContent = note ? note.textContent : "";
  });
  choose();
  draw();
  // the picture for where no widget runs is not needed here; it may come after this one
  const hide = () => document.getElementById(model.get("label"))?.style.setProperty("display", "none");
  hide();
  const watch = new MutationObserver(hide);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}
export default { render };
