"""Letters of three by five dots, for pictures without a drawing library."""

from __future__ import annotations

WIDE, HIGH = 3, 5
_ROWS = (  # each letter's five rows, three bits each, as octal digits
    "0:75557 1:26227 2:71747 3:71717 4:55711 5:74717 6:74757 7:71111 8:75757 9:75717"
    " /:11244 _:00007 A:25755 B:65656 C:34443 D:65556 E:74647 F:74644 G:34553 H:55755 I:72227"
    " J:11152 K:55655 L:44447 M:57755 N:65555 O:25552 P:65644 Q:25563 R:65655 S:34216 T:72222"
    " U:55557 V:55552 W:55775 X:55255 Y:55222 Z:71247"
    " .:00002 ,:00024 ::02020 ':22000 !:22202 (:24442 ):21112 +:02720 -:00700"
)
GLYPHS = {
    letter: tuple(
        (x, y)
        for y, row in enumerate(rows)
        for x in range(WIDE)
        if int(row, 8) >> (WIDE - 1 - x) & 1
    )
    for letter, _, rows in (one.rpartition(":") for one in _ROWS.split())
}
"""For each letter its dots: from the left, from the top."""
