"""One file a kind of value: what is shown of it, as a :class:`~layoutalg.show.view.View`."""
