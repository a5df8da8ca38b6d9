"""Pictures of layouts: nothing imports this but the command line and a value's display methods.

Reading order: ``view`` (what is shown, as data), ``palette`` and ``colours`` (how classes look, what colours
say), ``views/`` (one file a kind of value), ``as_text``, ``as_svg``, ``as_html``, ``as_latex``, ``as_png``
(one a format), ``mimebundle`` (what notebooks ask for), ``explorer`` (the widget), ``witness`` and
``swizzles`` (counterexamples, before and after), ``picture_file`` and ``report_page`` (files and pages),
``show`` (where one is).
"""

from layoutalg.pictures import views
from layoutalg.pictures.as_svg import as_svg
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.colours import coloured
from layoutalg.pictures.encoding_words import encoding_words
from layoutalg.pictures.explorer import explore
from layoutalg.pictures.mimebundle import mimebundle
from layoutalg.pictures.picture_file import write_view
from layoutalg.pictures.report_page import report_page
from layoutalg.pictures.show import show
from layoutalg.pictures.view import only, view_of

__all__ = [
    "as_svg",
    "as_text",
    "coloured",
    "encoding_words",
    "explore",
    "mimebundle",
    "only",
    "report_page",
    "show",
    "view_of",
    "views",
    "write_view",
]
