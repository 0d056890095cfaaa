#!/usr/bin/env python3
"""Prints a Hebrew and an Arabic page with Chromium, and one in Hebrew and English, and writes their paragraphs.

The results are in right-to-left/, since Chromium is not installed everywhere where the tests run. To make them again:

    Tests/Fixtures/make-right-to-left.py
"""

import pathlib
import random
import subprocess
import tempfile

HEBREW = {
    "language": "he",
    "head": [
        "המגדלור בחורף",
        "שומר המגדלור ישן בלילה. הגלים באים אל החוף, והרוח נושבת מן הים אל ההרים הרחוקים. בשנת 1984 נבנה כאן"
        " מגדלור חדש (הגבוה בארץ), ושמו Harbour Light בפי המלחים.",
        'בבוקר יצא הדייג אל הים: "כמה דגים יש היום?" שאל, ואיש לא ענה לו. המחיר היה 12.50 שקלים, ועל השולחן'
        " עמד מחשב עם Windows 10 בלבד.",
        "שָׁלוֹם לְךָ, אָמַר הַיֶּלֶד.",
    ],
    "words": "הים הרוח מגדלור ספינה לילה בוקר דייג חוף גלים שמש כוכב נמל מפרש סירה ענן גשם אור חלון דלת בית הר עמק דרך"
    " איש אישה ילד שיר מכתב ספר סיפור זמן חורף קיץ אביב סתיו לבן כחול גדול קטן רחוק קרוב".split(),
}

ARABIC = {
    "language": "ar",
    "head": [
        "المنارة في الشتاء",
        "حارس المنارة نائم في الليل. تأتي الأمواج إلى الشاطئ، والريح تهب من البحر إلى الجبال البعيدة. في عام 1984"
        " بنيت هنا منارة جديدة (الأعلى في البلاد)، واسمها Harbour Light عند البحارة.",
        "في الصباح خرج الصياد إلى البحر: كم سمكة هناك اليوم؟ سأل، ولم يجبه أحد. كان الثمن ١٢٫٥٠ دينارا، ولا شيء"
        " غير ذلك.",
        "سَلامٌ عَلَيكَ، قالَ الوَلَدُ.",
    ],
    "words": "البحر الريح منارة سفينة ليل صباح صياد شاطئ أمواج شمس نجم ميناء شراع قارب غيمة مطر ضوء نافذة باب بيت جبل واد"
    " طريق رجل امرأة ولد أغنية رسالة كتاب قصة زمن شتاء صيف ربيع خريف أبيض أزرق كبير صغير بعيد قريب الآن".split(),
}


ENGLISH = (
    "harbour winter lantern remember tomorrow between mountain quietly river without shadow morning question answered"
    " traveller never window garden people understand important another thousand nothing beautiful distance evening kettle"
    " orchard ladder weather barley compass drizzle engine feather gravel hammer island jacket"
).split()


def paragraphs(words, count):
    """Sentences of words chosen by a seed."""
    numbers = random.Random(1)
    sentence = lambda: " ".join(numbers.sample(words, numbers.randint(6, 12))) + "."
    return [" ".join(sentence() for _ in range(numbers.randint(3, 5))) for _ in range(count)]


def print_page(name, page, folder):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "page.html"
        source.write_text(page, encoding="utf-8")
        subprocess.run(
            [
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                f"--print-to-pdf={folder / name}.pdf", source.as_uri(),
            ],
            check=True,
            capture_output=True,
        )  # fmt: skip


def make(name, text, folder):
    columns = paragraphs(text["words"], 8)
    title, *head = text["head"]
    page = f"""<!DOCTYPE html><html dir="rtl" lang="{text['language']}"><meta charset="utf-8">
        <style>@page {{ size: A4; margin: 2cm }} body {{ font: 11pt "DejaVu Sans" }}
        section {{ column-count: 2; column-gap: 1cm }}</style>
        <h1>{title}</h1>{"".join(f"<p>{line}</p>" for line in head)}
        <section>{"".join(f"<p>{line}</p>" for line in columns)}</section></html>"""
    print_page(name, page, folder)
    (folder / f"{name}.txt").write_text("\n\n".join([title] + head + columns) + "\n", encoding="utf-8")


def make_beside(folder):
    """An English column next to a Hebrew one, each read from its own side."""
    english = paragraphs(ENGLISH, 4)
    hebrew = paragraphs(HEBREW["words"], 4)
    page = f"""<!DOCTYPE html><html><meta charset="utf-8">
        <style>@page {{ size: A4; margin: 2cm }} body {{ font: 11pt "DejaVu Sans"; margin: 0 }}
        div {{ position: absolute; top: 0; width: 47% }}</style>
        <div lang="en" style="left: 0">{"".join(f"<p>{line}</p>" for line in english)}</div>
        <div lang="he" dir="rtl" style="right: 0">{"".join(f"<p>{line}</p>" for line in hebrew)}</div></html>"""
    print_page("beside", page, folder)
    (folder / "beside.txt").write_text("\n\n".join(english + hebrew) + "\n", encoding="utf-8")


folder = pathlib.Path(__file__).parent / "right-to-left"
folder.mkdir(exist_ok=True)
make("hebrew", HEBREW, folder)
make("arabic", ARABIC, folder)
make_beside(folder)
