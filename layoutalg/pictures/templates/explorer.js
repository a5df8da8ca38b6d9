// Sliders for the sizes of a layout; under the pointer, the way of an element to memory.
function render({ model, el }) {
  el.classList.add("layoutalg");
  const sliders = document.createElement("div");
  const picture = document.createElement("div");
  const path = document.createElement("div");
  path.setAttribute("aria-live", "polite");
  path.style.cssText = "min-height: 1.4em; font-size: 13px";
  el.append(sliders, path, picture);
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
    sliders.append(label);
  }
  const draw = () => {
    picture.innerHTML = model.get("html");
  };
  model.on("change:html", draw);
  picture.addEventListener("pointerover", (event) => {
    const note = event.target.querySelector?.(":scope > title");
    path.textContent = note ? note.textContent : "";
  });
  draw();
}
export default { render };
