"""Dot plots as SVG: a row for each problem, a dot for each contestant, a logarithmic axis. Styled like analysis/plot."""
import html
import math

# Told apart by people who see red and green alike as far as nine can be; for light and for dark pages. Grey is for serial code.
COLOURS = [("#59636e", "#9aa4af"), ("#0b6bcb", "#58a6ff"), ("#c9510c", "#ff9a57"), ("#17806d", "#3fc8ad"),
           ("#96690a", "#e3b341"), ("#8a3ffc", "#be95ff"), ("#bf3989", "#ff80c8"), ("#1a7f37", "#7ee787"), ("#6e4c1e", "#c8a07a")]
SHAPES = ("circle", "square")  # of two compilers
LEFT, RIGHT, ROW, TOP = 150, 24, 26, 62


def style():
    light = "".join(f".d{i}{{fill:{a}}}" for i, (a, _) in enumerate(COLOURS))
    dark = "".join(f".d{i}{{fill:{b}}}" for i, (_, b) in enumerate(COLOURS))
    return ('<style>text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#1f2328}'
            ".title{font-size:15px;font-weight:600}.small{font-size:12px;fill:#59636e}.page{fill:#fff}"
            f".grid{{stroke:#e4e7eb}}.one{{stroke:#59636e}}{light}"
            "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9aa4af}.page{fill:#0d1117}"
            f".grid{{stroke:#262c34}}.one{{stroke:#9aa4af}}{dark}}}</style>\n")


def dot(x, y, colour, shape):
    if shape == "circle":
        return f'<circle class="d{colour}" cx="{x:.1f}" cy="{y:.1f}" r="4.5" opacity="0.85"/>\n'
    return f'<rect class="d{colour}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" opacity="0.85"/>\n'


def look_of(contestants):
    """Contestants of one runtime and two compilers, "name, compiler", share a colour. The same in all plots."""
    family_of = lambda name: name.split(",")[0]
    families = list(dict.fromkeys(family_of(name) for name in contestants))
    looks = {}
    for name in contestants:
        brothers = [n for n in contestants if family_of(n) == family_of(name)]
        looks[name] = families.index(family_of(name)) % len(COLOURS), SHAPES[brothers.index(name) % len(SHAPES)]
    return looks


def dots(title, subtitle, rows, contestants, width=760):
    """rows: {label: {contestant: value > 0}}"""
    looks = look_of(contestants)
    names = [name for name in contestants if any(name in values for values in rows.values())]
    values = [v for row in rows.values() for v in row.values()] + [1]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    bottom = TOP + ROW * len(rows)
    x_of = lambda v: LEFT + (math.log10(v) - low) / (high - low or 1) * (width - LEFT - RIGHT)
    columns = max(1, (width - 40) // 170)
    height = bottom + 34 + 20 * math.ceil(len(names) / columns)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
           f"<title>{html.escape(title)}</title>\n{style()}"
           '<rect class="page" width="100%" height="100%"/>\n'
           f'<text class="title" x="16" y="24">{html.escape(title)}</text>\n'
           f'<text class="small" x="16" y="43">{html.escape(subtitle)}</text>\n']
    for power in range(low, high + 1):
        x = x_of(10.0**power)
        out.append(f'<line class="{"one" if power == 0 else "grid"}" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}"/>\n'
                   f'<text class="small" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{10.0**power:g}</text>\n')
    for i, (label, row) in enumerate(rows.items()):
        y = TOP + ROW * (i + 0.5)
        out.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{html.escape(label)}</text>\n')
        out += [dot(x_of(v), y, *looks[name]) for name, v in row.items()]
    for i, name in enumerate(names):
        x, y = 24 + 170 * (i % columns), bottom + 38 + 20 * (i // columns)
        out.append(dot(x, y - 4, *looks[name]) + f'<text class="small" x="{x + 10}" y="{y}">{html.escape(name)}</text>\n')
    return "".join(out) + "</svg>\n"
