"""Pictures of layouts: nothing imports this but the command line and a value's display methods.

Reading order: ``view`` (what is shown, as data), ``views/`` (one file a kind of value), ``as_text``,
``as_svg``, ``as_html``, ``as_latex``, ``as_png`` (one a format), ``mimebundle`` (what notebooks ask for),
``explorer`` (the widget), ``picture_file`` and ``report_page`` (files and pages).
"""

from layoutalg.show import views
from layoutalg.show.as_svg import as_svg
from layoutalg.show.as_text import as_text
from layoutalg.show.encoding_words import encoding_words
from layoutalg.show.explorer import explore
from layoutalg.show.mimebundle import mimebundle
from layoutalg.show.picture_file import write_view
from layoutalg.show.report_page import report_page
from layoutalg.show.view import only, view_of

__all__ = [
    "as_svg",
    "as_text",
    "encoding_words",
    "explore",
    "mimebundle",
    "only",
    "report_page",
    "view_of",
    "views",
    "write_view",
]
