"""The page's paint and measures: warm paper by day, deep slate by night."""

DAY = {
    "paper": "#f6f3ec",
    "panel": "#fffdf8",
    "ink": "#22282f",
    "soft": "#565f6a",
    "line": "#d5cdbb",
    "shade": "#8c8371",
    "warn": "#9c2f10",
    "s0": "#b4490a",
    "s1": "#12397f",
    "s2": "#0b7a55",
    "s3": "#7a2fc4",
}
NIGHT = {
    "paper": "#1e2833",
    "panel": "#283542",
    "ink": "#f5f1e8",
    "soft": "#bcc5ce",
    "line": "#4a5a6a",
    "shade": "#0b1118",
    "warn": "#ffb199",
    "s0": "#ff9d52",
    "s1": "#9fc0ff",
    "s2": "#55d8ae",
    "s3": "#d3b0ff",
}


def _paint(colors: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in colors.items())


STYLE = f"""
:root{{color-scheme:light dark;{_paint(DAY)}}}
@media (prefers-color-scheme:dark){{:root{{{_paint(NIGHT)}}}}}
*{{box-sizing:border-box}}
body{{margin:0;background:var(--paper);color:var(--ink);overflow-wrap:break-word;
font:1rem/1.5 ui-rounded,"SF Pro Rounded","Nunito",system-ui,-apple-system,"Segoe UI",sans-serif}}
header,main,footer{{max-width:72rem;margin:0 auto;padding:1rem}}
h1{{font-size:clamp(1.9rem,6vw,3rem);line-height:1.1;margin:.4rem 0 .8rem}}
h2{{font-size:1.5rem;line-height:1.2;margin:0 0 .4rem}}
h3{{font-size:1.05rem;margin:0 0 .4rem}}
p{{max-width:44rem;margin:.4rem 0}}
.hello{{font-size:1.2rem}}
.lead{{font-size:1.2rem;line-height:1.4}}
.cards{{width:12rem;display:block}}
.face{{font-weight:800;font-size:28px;fill:#22282f}}
ul{{list-style:none;padding:0;margin:.6rem 0}}
.bots li{{margin:.35rem 0}}
.bots small{{display:block;color:var(--soft);padding-left:2.6rem}}
nav ul,.keys{{display:flex;flex-wrap:wrap;gap:.5rem}}
nav a{{display:inline-block;padding:.5rem .9rem;border:1px solid var(--line);border-radius:2rem;
background:var(--panel);color:var(--ink);text-decoration:none}}
a:hover,a:focus-visible,summary:focus-visible{{outline:3px solid var(--s1);outline-offset:1px}}
.keys{{gap:.4rem 1.2rem;color:var(--soft);font-size:.95rem}}
.keys li{{display:flex;gap:.4rem;align-items:center}}
.key{{height:1.15rem;flex:none;vertical-align:-.2rem}}
section{{margin:2.6rem 0;scroll-margin-top:1rem}}
.figures{{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));}}
figure{{margin:0;padding:1rem;background:var(--panel);border:1px solid var(--line);
border-radius:.9rem;min-width:0}}
figure svg{{width:100%;max-width:34rem;display:block}}
figure:has(details[open]){{grid-column:1/-1}}
details{{margin-top:.6rem}}
summary{{cursor:pointer;padding:.6rem 0;color:var(--soft)}}
.wide{{overflow-x:auto;width:fit-content;max-width:100%;background:
linear-gradient(to right,var(--panel) 40%,transparent) 0 0/2.4rem 100% no-repeat local,
linear-gradient(to left,var(--panel) 40%,transparent) 100% 0/2.4rem 100% no-repeat local,
linear-gradient(to right,var(--shade),transparent) 0 0/.9rem 100% no-repeat scroll,
linear-gradient(to left,var(--shade),transparent) 100% 0/.9rem 100% no-repeat scroll,
var(--panel)}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.95rem}}
th,td{{text-align:right;padding:.3rem .6rem;border-top:1px solid var(--line);vertical-align:top}}
th[scope=row]{{text-align:left;font-weight:400}}
thead th,thead td{{border:0}}
thead th:first-child{{text-align:left}}
td small{{color:var(--soft);white-space:nowrap}}
td strong{{color:var(--warn)}}
.short{{font-size:1.05rem}}
.short td{{white-space:nowrap}}
.short th[colspan]{{text-align:left;padding-top:.9rem;color:var(--soft)}}
footer{{color:var(--soft);padding-bottom:3rem}}
svg text{{fill:var(--ink);font-size:12.5px}}
svg .axis{{fill:var(--soft)}}
svg .small{{font-size:11px}}
svg .name{{font-weight:650}}
svg .value{{font-variant-numeric:tabular-nums}}
svg .point{{font-weight:650}}
svg .face{{font-size:28px;fill:#22282f}}
path,line{{fill:none}}
.beyond{{fill:var(--line);opacity:.45}}
.grid{{stroke:var(--line);stroke-width:1}}
.pointed{{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4}}
.curve{{stroke-width:2.2;stroke-linejoin:round}}
.s0{{stroke:var(--s0)}}.s1{{stroke:var(--s1)}}.s2{{stroke:var(--s2)}}.s3{{stroke:var(--s3)}}
.curve.s0{{stroke-dasharray:2 4}}.curve.s1{{stroke-dasharray:8 4}}
.curve.s3{{stroke-dasharray:12 3 2 3}}
.mark{{stroke:var(--panel);stroke-width:1}}
.mark.s0{{fill:var(--s0)}}.mark.s1{{fill:var(--s1)}}.mark.s2{{fill:var(--s2)}}.mark.s3{{fill:var(--s3)}}
.stem{{stroke-width:3}}
.band{{stroke:none;opacity:.22}}
.band.s0{{fill:var(--s0)}}.band.s1{{fill:var(--s1)}}.band.s2{{fill:var(--s2)}}.band.s3{{fill:var(--s3)}}
.whisker{{stroke-width:3;stroke-linecap:round;opacity:.55}}
.ring{{fill:none;stroke:var(--ink);stroke-width:1.4}}
.card{{fill:var(--paper);stroke:var(--ink);stroke-width:1.3}}
.part{{stroke:var(--ink);stroke-width:1}}
.b0{{fill:var(--s2)}}.b1{{fill:url(#dotted)}}.b2{{fill:url(#hatched)}}
.p1{{fill:var(--panel)}}.p1dot{{fill:var(--s0)}}
.p2{{fill:var(--panel)}}.p2line{{fill:var(--soft)}}
.dot{{fill:var(--s2)}}
.far{{fill:var(--warn);stroke:var(--ink)}}
caption{{text-align:left;padding:.6rem}}
@media (max-width:32rem){{figure{{padding:.75rem .6rem}}svg text{{font-size:14.5px}}
svg .small{{font-size:13px}}nav a{{padding:.35rem .7rem;font-size:.95rem}}
th,td{{padding:.3rem .4rem}}
header,main,footer{{padding:.8rem}}
.short{{font-size:.95rem}}.short th,.short td{{padding:.3rem .25rem}}
.bots small{{padding-left:0}}}}
@media print{{details{{display:none}}figure,section{{break-inside:avoid}}}}
"""
