"""Texts that several tests speak."""

# Nearly as long as Speak takes; see `takes_minutes`.
LONG = " ".join(f"Sentence number {n} says that the tide comes in, and that the boats wait for it." for n in range(1, 561))


def takes_minutes(studio) -> str:
    """A text that a server is still speaking when it is stopped, left or listened to, in every build of the program.

    From now on the server speaks slowly.
    """
    studio.speak_slowly()
    return LONG


# Text that could be taken for markup, links, formats or terminal sequences.
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "\"><script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "<a href=\"javascript:alert(1)\">here</a>",
    "<iframe srcdoc=\"<script>parent.alert(1)</script>\"></iframe>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "<style>*{display:none}</style>",
    "<base href=https://example.invalid/>",
    "<meta http-equiv=refresh content=0;url=https://example.invalid/>",
    "<form action=https://example.invalid/><input name=a>",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<math><mtext></mtext><mglyph><svg><mtext><textarea><path id=\"</textarea><img onerror=alert(1) src=1>\">",
    "<x onfocus=alert(1) tabindex=1 autofocus>",
    "data: x event: reset id: 1 \u202e<b>bold</b>",
]
