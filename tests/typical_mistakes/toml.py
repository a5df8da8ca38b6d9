"""Mistakes in a layout file, ``bad.layout.toml``: its text, the line that is wrong, words of the answer."""

__all__ = ["TOML"]

ROWS = "[layout.rows]\nbase = { lengths = [256, 128], strides = [136, 1] }\n"
HAND = '[layout.hand]\nindex = { row = 16, col = 32 }\noffset = "row*40 + col"\n'
PACKED = "[layout.rows]\nbase = { packed = [256, 128] }\n"

MERGE = "{ transform = 'merge', low_lengths = [256, 64], lower = [0, 1], upper = [0] }"

TOML = (
    # TOML itself
    (
        "[layout.rows]\nbase = {\n  lengths = [256],\n  strides = [1]\n}\n",
        2,
        *("not TOML", "one line"),
    ),
    ("[layout.rows]\nbase = { packed = [M, 128] }\n", 2, "not TOML", "M", "quote"),
    ("[layout.a]\nindex = { row = 16 }\noffset = row*40\n", 3, "not TOML", "quote"),
    ('[layout.a]\nindex = { row = 16 }\noffset = "row*40\n', 3, "not TOML", "quote"),
    ("[layout.rows]\nbase: { packed = [4] }\n", 2, "not TOML", "="),
    ("[layout.rows\nbase = { packed = [4] }\n", 1, "not TOML", "]"),
    (ROWS + ROWS, 3, "rows", "twice"),
    (f"{ROWS}claims = ['covers']\nclaims = ['one-to-one']\n", 4, "claims", "twice"),
    # words
    ("[layouts.rows]\nbase = { packed = [4] }\n", 1, "no key layouts", "layout"),
    ("[layout]\nbase = { packed = [4] }\n", 2, "name", "[layout.NAME]"),
    ("[layout.rows]\nbase = { length = [256], strides = [1] }\n", 2, "length", "lengths"),
    (
        "[layout.rows]\nbase = { lengths = [256, 128], strides = [1] }\n",
        2,
        "one stride for each of 2 lengths",
        "got 1",
    ),
    ("[layout.rows]\nlengths = [256]\nstrides = [1]\n", 2, "no key lengths", "base"),
    ("[layout.rows]\nbase = { lengths = '[4, 8]', strides = [8, 1] }\n", 2, "list", '"[4, 8]"'),
    ("[layout.rows]\nbase = { lengths = [4.0], strides = [1] }\n", 2, "4.0"),
    (f'{ROWS}claim = ["one-to-one"]\n', 3, "no key claim", "claims"),
    (f'{ROWS}claims = "one-to-one"\n', 3, "list", "one-to-one"),
    (f'{ROWS}claims = ["one to one"]\n', 3, "one to one", "did you mean one-to-one?"),
    (f'{ROWS}claims = ["injective"]\n', 3, "injective", "one-to-one"),
    (f'{ROWS}claims = ["vector access"]\n', 3, "vector access", "dimension", "width"),
    (
        f'{ROWS}claims = [{{ claim = "vector access", dim = 1, width = 8 }}]\n',
        3,
        *("no key dim", "dimension"),
    ),
    (
        f'{ROWS}claims = [{{ claim = "vector access", dimension = 2, width = 8 }}]\n',
        3,
        *("dimension", "0 to 1", "2"),
    ),
    (
        f'{ROWS}claims = [{{ claim = "vector access", dimension = 1, width = "8" }}]\n',
        3,
        *("width", "a number from 1", '"8"'),
    ),
    # symbols and facts
    ("[layout.rows]\nbase = { packed = ['M', 128] }\n", 2, "M is not declared", "[symbols]"),
    (f"[symbols]\nM = {{ min = 8, max = 4 }}\n{PACKED}", 2, "M", "8 <= M <= 4", "empty"),
    (f"[symbols]\nM = 128\n{PACKED}", 2, "M", "table", "128", "min"),
    (f"[symbols]\nM = {{ minimum = 8 }}\n{PACKED}", 2, "no key minimum", "min"),
    (f"[symbols]\nM = {{ multiple_of = 0 }}\n{PACKED}", 2, "multiple_of", "from 1", "0"),
    (f'[symbols]\nM = {{ min = 8 }}\n[facts]\nM = "M > 3"\n{PACKED}', 3, "facts", "list"),
    (f'facts = ["M = 8"]\n[symbols]\nM = {{ min = 8 }}\n{PACKED}', 1, "facts", "=="),
    # names for subexpressions
    (f'let = {{ M = "4*K" }}\n[symbols]\nM = {{}}\nK = {{}}\n{PACKED}', 1, "M is a size already", "another"),
    (f'{HAND}let = {{ line = "row*4", far = "lien + 1" }}\n', 4, "let.far", "lien", "did you mean line?"),
    (f'{HAND}let = {{ far = "at + 1", at = "row*4" }}\n', 4, "at is used before it is defined", "before it"),
    # bases and stages
    ('[layout.a]\nbase = "a"\n', 2, "a", "itself"),
    (f'{ROWS}[layout.b]\nbase = "row"\n', 4, "row", "did you mean rows?"),
    (f'[layout.b]\nbase = "rows"\n{ROWS}', 2, "no layout rows above this one"),
    (
        f"{ROWS}stages = [{MERGE}]\n",
        3,
        *("stages", "a list of transforms", "[["),
    ),
    (f"{ROWS}stages = [[{{ transform = 'split', lower = [0], upper = [0, 1] }}]]\n", 3, "split", "unmerge"),
    (
        f"{ROWS}stages = [[{{ transform = 'unmerge', lengths = [4, 64], lower = [0], upper = [0, 1] }}]]\n",
        3,
        *("lengths", "up_lengths"),
    ),
    (
        f"{ROWS}stages = [[{MERGE}]]\n",
        3,
        *("64", "128"),
    ),
    # offsets by hand
    ('[layout.a]\noffset = "row*40"\n', 2, "index"),
    ('[layout.a]\nindex = ["row", "col"]\noffset = "row*40 + col"\n', 2, "index", "table", "row ="),
    (f"{HAND.replace('row*40', 'rwo*40')}", 3, "rwo is not declared", "row"),
    (f"{HAND.replace('+ col', '+* col')}", 3, "wanted a number, a name or (", "'*'", "^"),
    (f'{HAND}claims = ["in bounds"]\n', 4, "memory bounds", "wanted a size", "size = "),
    (f"{HAND}size = '640 * f16'\n", 4, "f16 is not declared"),
    ("[layout.a]\ndistribution = 'tile_distribution_encoding<sequnce<>>'\n", 2, "sequence", "'sequnce'", "^"),
)
