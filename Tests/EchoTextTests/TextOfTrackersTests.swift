import EchoText
import Testing

/// Texts that users of other programs report as read wrongly; `Documentation/Corpora.md` names the reports.
@Suite("Text of trackers")
struct TextOfTrackersTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 10)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 10)
    }

    // MARK: Money and measures

    static let amounts: [TextOfBooksTests.Row] = [
        .init("en-US", "It costs $5-8,000 now.", "It costs five to eight thousand dollars now."),
        .init(
            "en-US",
            "$20.506, $.506 and $.50",
            "twenty point five zero six dollars, zero point five zero six dollars and fifty cents"
        ),
        .init("en-US", "¥30b and ₩460 billion", "thirty billion yen and four hundred sixty billion won"),
        .init("de-DE", "Es kostet 1.009 €.", "Es kostet tausendneun Euro."),
        .init(
            "de-DE",
            "27,50 € oder 123.500 €",
            "siebenundzwanzig Euro fünfzig oder hundertdreiundzwanzigtausendfünfhundert Euro"
        ),
        .init("es-ES", "Costará €2,75.", "Costará dos euros con setenta y cinco céntimos."),
        .init("fr-FR", "Un menu à 12€50.", "Un menu à douze euros cinquante."),
        .init("de-DE", "Preis von 39.99 EUR.", "Preis von neununddreißig Euro neunundneunzig."),
        .init("de-DE", "€39.99 und 3.14 m", "neununddreißig Euro neunundneunzig und 3.14 Meter"),
        .init("en-US", "27,50 € or €27,50", "twenty-seven euros and fifty cents or twenty-seven euros and fifty cents"),
        .init("en-US", "-2°C/36°F", "minus 2 degrees Celsius/36 degrees Fahrenheit"),
        .init("en-US", "2-3 mins, 2-3 hrs or 2-3 secs", "2 to 3 minutes, 2 to 3 hours or 2 to 3 seconds"),
        .init("en-US", asWritten: "Each 550-pound bomb had 12-inch guns."),
        .init("en-US", asWritten: "It showed 9,876.54321 hertz and 0.000123 volts."),
        .init("es-ES", "5mA y 5 MHz", "5 miliamperios y 5 megahercios"),
        .init("en-US", "33-3/4 (85.7 cm) min.", "33 and three quarters (85.7 centimetres) minimum."),
        .init("en-US", "½ kg and 1½ kg", "one half kilogram and 1 and one half kilograms"),
        .init("de-DE", "1/2 l Milch", "ein halber Liter Milch"),
        .init("fr-FR", "1/2 l de lait", "un demi litre de lait"),
        .init("es-ES", "1/2 kg de arroz", "medio kilogramo de arroz"),
        .init("et", "1/2 l piima", "pool liitrit piima"),
    ]

    @Test("says amounts and measures as they are meant", arguments: amounts)
    func saysAmounts(_ row: TextOfBooksTests.Row) { check(row) }

    static let furtherAmounts: [TextOfBooksTests.Row] = [
        .init("en-US", "A $1.4 billion loan", "A one point four billion dollar loan"),
        .init("en-US", "a $50 ticket for a $5", "a fifty dollar ticket for a five dollars"),
        .init("en-US", "every $5 you spend", "every five dollars you spend"),
        .init("en-US", "They sell $20 T-shirts.", "They sell twenty dollars T-shirts."),
        .init("en-US", "It has $1.4 billion now.", "It has one point four billion dollars now."),
        .init("en-US", "over $1MM and ¥30 b", "over one million dollars and thirty billion yen"),
        .init(
            "en-US",
            "$250-$300 or US$5–US$7",
            "two hundred fifty dollars to three hundred dollars or five US dollars to seven US dollars"
        ),
        .init("en-US", "£6.5 million and £6.5mn", "six point five million pounds and six point five million pounds"),
        .init("en-US", "$3.5 bn and €2bn", "three point five billion dollars and two billion euros"),
        .init("es-ES", "€2 billones", "dos billones de euros"),
        .init("en-US", "100 million kg of it", "100 million kilograms of it"),
        .init("de-DE", "5 Millionen t Stahl", "5 Millionen Tonnen Stahl"),
        .init("fr-FR", asWritten: "3 millions l'an"),
        .init("en-US", "a 2-5lb fish, 5 yrs old", "a 2 to 5 pounds fish, 5 years old"),
        .init("en-US", "50g in 3/7 and 3/10", "50 grams in three sevenths and three tenths"),
        .init("en-US", "County Road 60 1/2", "County Road 60 and one half"),
        .init("fr-FR", "Il en faut 1 1/2.", "Il en faut 1 et demi."),
        .init("es-ES", "1 1/2 metros", "1 y medio metros"),
        .init(
            "fr-FR",
            "44 % d'humidité, 28,2 °C, 12 km/h",
            "44 % d'humidité, 28,2 degrés Celsius, 12 kilomètres à l'heure"
        ),
        .init("de-DE", "eine Rendite von +7,3 % bei ±2 °C", "eine Rendite von +7,3 % bei plus minus 2 Grad Celsius"),
        .init("es-ES", "1.200 personas y 1 millón", "mil doscientas personas y un millón"),
        .init("es-ES", "200 mil personas, 21 mil", "doscientas mil personas, veintiún mil"),
        .init("fr-FR", "21 chapelles", "vingt et une chapelles"),
        .init(
            "en-US",
            "at 59°26′14″N, 24.75° E",
            "at fifty-nine degrees twenty-six minutes fourteen seconds north, twenty-four point seven five degrees east"
        ),
        .init(
            "de-DE",
            "52°31′ N und 13° 24′ O",
            "zweiundfünfzig Grad einunddreißig Minuten Nord und dreizehn Grad vierundzwanzig Minuten Ost"
        ),
        .init("et", "59°26′ N", "viiskümmend üheksa kraadi kakskümmend kuus minutit põhjalaiust"),
        .init("en-US", "20°C and 90° turns", "20 degrees Celsius and 90 degrees turns"),
    ]

    @Test("says scales, ranges and attributes of amounts", arguments: furtherAmounts)
    func saysFurtherAmounts(_ row: TextOfBooksTests.Row) { check(row) }

    // MARK: Dates and times

    static let datesAndTimes: [TextOfBooksTests.Row] = [
        .init("en-US", "In 2020-12 it rained.", "In December twenty twenty it rained."),
        .init("es-ES", "En 2020-12 llovió.", "En diciembre de dos mil veinte llovió."),
        .init("en-US", "the war of 1914-18", "the war of nineteen fourteen to 18"),
        .init("en-US", "in 1901–05", "in nineteen oh one to oh five"),
        .init("de-DE", "Von 1914-18 war Krieg.", "Von neunzehnhundertvierzehn bis 18 war Krieg."),
        .init("et", "Aastad 1939-45", "Aastad 1939 kuni 45"),
        .init("en-US", asWritten: "1500-20-3 and 2020-13"),
        .init("en-US", "Yan [1994] says", "Yan [nineteen ninety-four] says"),
        .init(
            "en-US",
            "4/23/2021, 5:02:54 PM",
            "April twenty-third, twenty twenty-one, five oh two and fifty-four seconds PM"
        ),
        .init(
            "de-DE",
            "am 23.4.2021, 17:02:51",
            "am dreiundzwanzigsten April zweitausendeinundzwanzig, siebzehn Uhr zwei und einundfünfzig Sekunden"
        ),
        .init("de-DE", "am 5. Nov 2020", "am fünften November 2020"),
        .init("en-US", "on 2024/10/01 and 2024/13/45", "on October first, twenty twenty-four and 2024/13/45"),
        .init("de-DE", "Ich komme am 7.4. zurück.", "Ich komme am siebten April zurück."),
        .init("de-DE", "am 7.10. (Mittwoch) um 15:00", "am siebten Oktober (Mittwoch) um fünfzehn Uhr"),
        .init("de-DE", "Sie kam am 24.12.", "Sie kam am vierundzwanzigsten Dezember."),
        .init("de-DE", "vom 1. 5. 2020 an", "vom ersten Mai zweitausendzwanzig an"),
        .init("de-DE", asWritten: "Im 3.2. Abschnitt und in 2.1. Einleitung"),
        .init("de-DE", "am 08.01.2025 abgeholt", "am achten Januar zweitausendfünfundzwanzig abgeholt"),
        .init("de-DE", "von 13:30 bis 15:30 Uhr", "von dreizehn Uhr dreißig bis fünfzehn Uhr dreißig"),
        .init("de-DE", "von 0.00 bis 2.12 Uhr", "von null Uhr bis zwei Uhr zwölf"),
        .init("de-DE", "von 8.36 Uhr bis 14.15 Uhr", "von acht Uhr sechsunddreißig bis vierzehn Uhr fünfzehn"),
        .init("de-DE", "offen 8.30-12 Uhr", "offen acht Uhr dreißig bis 12 Uhr"),
        .init("de-DE", asWritten: "Es sind 8.30 bis 12 Meter."),
        .init("en-US", "14:00-16:00 (UTC+01:00)", "fourteen hundred to sixteen hundred (UTC plus one)"),
        .init("de-DE", "GMT-5:30 gilt", "GMT minus fünf dreißig gilt"),
        .init("en-US", "At 5.00a.m. and 5.30 p.m. we met.", "At five AM and five thirty PM we met."),
        .init("en-US", asWritten: "It fell by 5.30 amid rain."),
        .init("es-ES", "a las 13:00 horas o 13:30 h.", "a las trece horas o trece treinta."),
        .init("fr-FR", "à 14:00 h et à 9:30 heures", "à quatorze heures et à neuf heures trente"),
    ]

    @Test("says dates, spans of years, times and time zones", arguments: datesAndTimes)
    func saysDatesAndTimes(_ row: TextOfBooksTests.Row) { check(row) }

    static let furtherDatesAndTimes: [TextOfBooksTests.Row] = [
        .init("de-DE", asWritten: "Siehe Abschnitt 2.1. bis 3.4. im Buch."),
        .init("de-DE", asWritten: "Die Kapitel bis 3.4. und von 2.1 bis 3.4. gelten."),
        .init(
            "de-DE",
            "offen bis 3.4. und vom 1.2. bis 3.4. zu",
            "offen bis dritten April und vom ersten Februar bis dritten April zu"
        ),
        .init("de-DE", "Ausgabe 5. 10. 1936", "Ausgabe fünfter Oktober neunzehnhundertsechsunddreißig"),
        .init("de-DE", "im 18. und 19. Jahrhundert", "im achtzehnten und neunzehnten Jahrhundert"),
        .init("de-DE", "am 1. und 2. Mai", "am ersten und zweiten Mai"),
        .init("et", "1. ja 2. juunil", "esimesel ja teisel juunil"),
        .init("en-US", "1914-1918-1945", "nineteen fourteen, nineteen eighteen, nineteen forty-five"),
        .init(
            "de-DE",
            "1914-1918-1945",
            "neunzehnhundertvierzehn, neunzehnhundertachtzehn, neunzehnhundertfünfundvierzig"
        ),
        .init(
            "et",
            "1914–1918–1945",
            "tuhat üheksasada neliteist, tuhat üheksasada kaheksateist, tuhat üheksasada nelikümmend viis"
        ),
        .init(
            "en-US",
            "in the 1910s, the 2000s and the 1770s",
            "in the nineteen tens, the two thousands and the seventeen seventies"
        ),
        .init("en-US", "the 1960s-80s", "the nineteen sixties to eighties"),
        .init("en-US", "built c. 1450", "built circa fourteen fifty"),
        .init("de-DE", "ca. 1450", "circa vierzehnhundertfünfzig"),
        .init("en-US", "on 11/17/05", "on November seventeenth, oh five"),
        .init("fr-FR", "le 17/11/05 et les 17/18 juin", "le dix-sept novembre deux mille cinq et les 17/18 juin"),
        .init("en-US", "Jan-15-2020", "January fifteenth-twenty twenty"),
        .init(
            "en-US",
            "at 2026-11-21T14:30:00Z",
            "at November twenty-first, twenty twenty-six fourteen thirty and zero seconds UTC"
        ),
        .init(
            "en-US",
            "at 2026-11-21T14:30:00.000Z",
            "at November twenty-first, twenty twenty-six fourteen thirty and zero seconds UTC"
        ),
        .init(
            "de-DE",
            "2026-11-21T14:30+02:00",
            "einundzwanzigster November zweitausendsechsundzwanzig vierzehn Uhr dreißig plus zwei"
        ),
        .init("de-DE", "um 24:00 Uhr und um 14:30Uhr", "um vierundzwanzig Uhr und um vierzehn Uhr dreißig"),
        .init("en-US", "from 1:00 a.m to 8:00", "from one AM to eight o'clock"),
        .init("de-DE", "Sie siegten 3:2.", "Sie siegten 3 zu 2."),
        .init("en-US", "a ratio of 3:2, but John 3:6", "a ratio of 3 to 2, but John 3:6"),
        .init("en-US", "So it says in Matt. 5:3 again.", "So it says in Matthew 5:3 again."),
        .init("es-ES", "ganó 2:1", "ganó 2 a 1"),
    ]

    @Test("says chains of years, sections, scores, and dates with times", arguments: furtherDatesAndTimes)
    func saysFurtherDatesAndTimes(_ row: TextOfBooksTests.Row) { check(row) }

    // MARK: Numbers that count nothing

    static let codes: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "Account 1234-5678-9012-3456, code 9876543210",
            "Account one two three four, five six seven eight, nine zero one two, three four five six, "
                + "code nine eight seven six five four three two one zero"
        ),
        .init(
            "en-US",
            "ISBN 978-3-16-148410-0",
            "ISBN nine seven eight, three, one six, one four eight four one zero, zero"
        ),
        .init("en-US", "ISBN 9783161484100", "ISBN nine seven eight three one six one four eight four one zero zero"),
        .init(
            "de-DE",
            "Rufen Sie 0821 3240 oder 089/1234567 an.",
            "Rufen Sie null acht zwei eins, drei zwei vier null oder null acht neun, eins zwei drei vier fünf sechs "
                + "sieben an."
        ),
        .init("de-DE", "+49 821 324 0", "plus vier neun, acht zwei eins, drei zwei vier, null"),
        .init("en-US", "Call 416-555-0192.", "Call four one six, five five five, zero one nine two."),
        .init("en-US", "Call 135-4567-8900.", "Call one three five, four five six seven, eight nine zero zero."),
        .init(
            "en-US",
            "Figure 2.6.10 and clause 1.01.02",
            "Figure two point six point ten and clause one point zero one point zero two"
        ),
        .init("en-US", asWritten: "NE-123, 88cf44, 88Feb42 and Assignment 1 Marks"),
        .init("en-US", asWritten: "3 E 6 B H U"),
        .init("en-US", asWritten: "Open 0900-1700 daily."),
        .init("en-US", "You *shouldn't* panic", "You shouldn't panic"),
    ]

    @Test("says codes digit by digit, and nothing else", arguments: codes)
    func saysCodes(_ row: TextOfBooksTests.Row) { check(row) }

    static let furtherCodes: [TextOfBooksTests.Row] = [
        .init("en-US", "Call 321 434-5049 now.", "Call three two one, four three four, five zero four nine now."),
        .init("en-US", "Call 321.434.5049 now.", "Call three two one, four three four, five zero four nine now."),
        .init("en-US", "some 10.000.000 of them", "some ten million of them"),
        .init("en-US", "Chapter 01 and Part 07", "Chapter one and Part seven"),
        .init("de-DE", "Kapitel 01", "Kapitel eins"),
        .init("en-US", asWritten: "Code 0101 and 2st or 4rd"),
        .init("de-DE", "1,,2", "1 , 2"),
        .init("en-US", "1-2=5 and 1−2=3", "1 minus 2=5 and 1 minus 2=3"),
        .init("et", "1-le, 21-aastane, 100-protsendine", "ühele, kahekümne üheaastane, sajaprotsendine"),
    ]

    @Test("says telephone numbers, numbers of chapters and parts of words", arguments: furtherCodes)
    func saysFurtherCodes(_ row: TextOfBooksTests.Row) { check(row) }

    // MARK: Ordinals, numerals, abbreviations

    static let wordsCutShort: [TextOfBooksTests.Row] = [
        .init("es-ES", "El 3ro y los 4tos, la 2da vez.", "El tercero y los cuartos, la segunda vez."),
        .init("es-ES", "3er lugar y 1.ª fila", "tercer lugar y primera fila"),
        .init("fr-FR", "le 2ᵉ, le 1ᵉʳ et le XVIIIᵉ siècle", "le deuxième, le premier et le dix-huitième siècle"),
        .init("fr-FR", "la 2nde fois, le 2nd rang", "la seconde fois, le second rang"),
        .init("fr-FR", "la 75e et la 251e", "la soixante-quinzième et la deux cent cinquante et unième"),
        .init("es-ES", "el siglo XXI y Enrique VIII, rey", "el siglo veintiuno y Enrique octavo, rey"),
        .init("es-ES", "en el s. XIX y el cap. IV", "en el siglo diecinueve y el capítulo cuatro"),
        .init("es-ES", asWritten: "El texto de Li Qin en este libro."),
        .init("en-US", "See Vol. IV, ch. II.", "See volume four, chapter two."),
        .init("de-DE", "Bd. IV und Kap. II", "Band vier und Kapitel zwei"),
        .init("fr-FR", "vol. IV, chap. II", "volume quatre, chapitre deux"),
        .init("fr-FR", "Voir cf. p. 12.", "Voir confer page 12."),
        .init("de-DE", "Hier ist brettspielversand.de zu sehen.", "Hier ist brettspielversand Punkt de zu sehen."),
        .init("de-DE", asWritten: "Auf der 2D-Mammographie ist es zu sehen."),
        .init(
            "de-DE",
            "Gemäß Pkt. 3.2 sind 5 v.H. im 4. Bezirk frei.",
            "Gemäß Punkt 3.2 sind 5 vom Hundert im vierten Bezirk frei."
        ),
        .init("de-DE", "Bei Skt. Martin, Fa. Meyer", "Bei Sankt Martin, Firma Meyer"),
        .init("fr-FR", "en 52 av. J.-C., en 9 apr. J.-C.", "en 52 avant Jésus-Christ, en 9 après Jésus-Christ."),
        .init("fr-FR", "la Vᵉ République, t. II, c.-à-d. ici", "la cinquième République, tome deux, c'est-à-dire ici"),
        .init("fr-FR", asWritten: "Ce ver et la Mer, De Le."),
        .init("de-DE", "Hauptstr. 12, S. 5 f. und S. 7", "Hauptstraße 12, Seite 5 folgende und Seite 7"),
        .init("de-DE", asWritten: "Es schrieb 1805 F. Schiller."),
        .init("de-DE", asWritten: "Eine illustr. Ausgabe liegt vor."),
        .init("de-DE", "§ 5 Abs. 1 Satz 2 gilt", "§ 5 Absatz 1 Satz 2 gilt"),
        .init("de-DE", "Tel. (030) 12 34 56", "Telefon null drei null, eins zwei, drei vier, fünf sechs"),
        .init("es-ES", "A 20 ºC.", "A 20 grados Celsius."),
        .init("fr-FR", asWritten: "C'est drôle, en stéréo."),
        .init("en-US", "Thutmose II, a 10m (32ft) way", "Thutmose the second, a 10 metres (32 feet) way"),
        .init("et", "VI sajandist, 2004. aastal", "kuuendast sajandist, kahe tuhande neljandal aastal"),
        .init("et", "I klass ja II ptk", "esimene klass ja teine peatükk"),
        .init("es-ES", "Vds. y las FF. AA. lo saben.", "ustedes y las Fuerzas Armadas lo saben."),
        .init("en-US", "See Fig. 3 and Ref. 8.", "See figure 3 and reference 8."),
        .init("en-US", "On Sunset Blvd we met.", "On Sunset Boulevard we met."),
        .init("en-US", asWritten: "Pan Am flew there."),
        .init("es-ES", "los siglos XIII, XIV y XV", "los siglos trece, catorce y quince"),
        .init("en-US", "Volume II, CD and book", "Volume two, CD and book"),
        .init("de-DE", "Als Ramses II. regierte", "Als Ramses der zweite regierte"),
        .init("en-US", "Chapters II and III, Chapter IV and I", "Chapters two and three, Chapter four and I"),
        .init(
            "de-DE",
            "Unter Karl V. und für Karl V. zur Zeit Ludwigs XIV. in Wien",
            "Unter Karl dem fünften und für Karl den fünften zur Zeit Ludwigs des vierzehnten in Wien"
        ),
        .init("de-DE", "Papst Pius IX. und Elisabeth II.", "Papst Pius der neunte und Elisabeth die zweite."),
        .init("es-ES", "Isabel II y Felipe II", "Isabel segunda y Felipe segundo"),
        .init("es-ES", "el 13.º, la 21.ª y el 100.º", "el decimotercero, la vigésima primera y el centésimo"),
        .init("es-ES", "la 1.000.ª vez", "la milésima vez"),
        .init("fr-FR", "St-Denis et Ste Anne", "Saint-Denis et Sainte Anne"),
        .init(
            "de-DE",
            "Er belegte den 1. Platz zum 100. Jubiläum.",
            "Er belegte den ersten Platz zum hundertsten Jubiläum."
        ),
    ]

    @Test("says ordinals, numerals and abbreviations in full", arguments: wordsCutShort)
    func saysWordsCutShort(_ row: TextOfBooksTests.Row) { check(row) }

    // MARK: Numbers by what stands around them

    static let neighbors: [TextOfBooksTests.Row] = [
        // Verses
        .init(
            "en-US",
            "See Rom. 8:1; 8:4 and 9:2, and Gal. 5:3, 5:6.",
            "See Romans 8:1; 8:4 and 9:2, and Gal. 5:3, 5:6."
        ),
        .init("en-US", asWritten: "John 3:6; 4:1"),
        .init("en-US", "Rom. 8:28; 8:4", "Romans eight twenty-eight; 8:4"),
        .init("en-US", "They won 3:2; 2:1 and 4:0.", "They won 3 to 2; 2 to 1 and 4 to 0."),
        .init("en-US", "Ratio 2:1 or 3:1", "Ratio 2 to 1 or 3 to 1"),
        .init("en-US", "The score: 3:2, 2:1", "The score: 3 to 2, 2 to 1"),
        .init("de-DE", "Bayern siegte 3:2; 2:1.", "Bayern siegte 3 zu 2; 2 zu 1."),
        .init("fr-FR", asWritten: "Voir Jean 3:16 ; 4:12 et Rom. 8:28."),
        .init("fr-FR", "Lundi 3:16, chez Jean à 8:30", "Lundi trois heures seize, chez Jean à huit heures trente"),
        .init("fr-FR", asWritten: "Jean 3:16 et 4:12"),
        .init("fr-FR", "Il a vu Jean. 8:30, départ.", "Il a vu Jean. huit heures trente, départ."),
        // Rules
        .init("en-US", "On 9/11/01 rules changed.", "On September eleventh, oh one rules changed."),
        .init("en-US", "Since 3/4/24 rules apply.", "Since March fourth, twenty-four rules apply."),
        .init(
            "fr-FR",
            "les règles du 17/11/05",
            "les règles du dix-sept novembre deux mille cinq"
        ),
        .init("fr-FR", "la règle du 10/11/12", "la règle du dix novembre deux mille douze"),
        .init("en-US", "The 10/10/10 rule helps.", "The ten ten ten rule helps."),
        .init("en-US", "the 10/20/30 rule", "the ten twenty thirty rule"),
        .init("en-US", "The 4-7-8 method and an 80/20 rule", "The four seven eight method and an eighty twenty rule"),
        .init("en-US", "On 10/10/10 the rule changed.", "On October tenth, ten the rule changed."),
        .init("en-US", "It was 3/4/24.", "It was March fourth, twenty-four."),
        .init("en-US", "the 2/3 rule", "the two thirds rule"),
        .init("de-DE", "die 80/20-Regel", "die achtzig zwanzig-Regel"),
        .init("es-ES", "la regla 10/10/10", "la regla diez diez diez"),
        .init("fr-FR", "la règle des 10/10/10", "la règle des dix dix dix"),
        // Places and measures
        .init("en-US", "10° N–15° N", "ten degrees north to fifteen degrees north"),
        .init("en-US", "10° N – 15° N", "ten degrees north to fifteen degrees north"),
        .init("en-US", "10°–15° N", "10 degrees to fifteen degrees north"),
        .init("en-US", "5 km–10 km", "5 kilometres to 10 kilometres"),
        .init("en-US", "5°C-10°C", "5 degrees Celsius to 10 degrees Celsius"),
        .init("en-US", "500 m–2 km", "500 metres to 2 kilometres"),
        .init("en-US", "10%–15% and 10%-15%", "10% to 15% and 10% to 15%"),
        .init("en-US", "We ran 5 km – 3 hours of it.", "We ran 5 kilometres – 3 hours of it."),
        .init("de-DE", "ein 5 km-Lauf", "ein 5 Kilometer-Lauf"),
        .init("en-US", "5 m-3 m = 2 m", "5 metres minus 3 metres = 2 metres"),
        .init("en-US", asWritten: "It fell 90%-50%."),
        .init("de-DE", "150-100 m", "150 bis 100 Meter"),
        .init("de-DE", "20-10 m", "20 bis 10 Meter"),
        // Years
        .init("en-US", "in 1005", "in ten oh five"),
        .init("en-US", "In 1066 the Normans won.", "In ten sixty-six the Normans won."),
        .init("en-US", "the Norman Conquest of 1066.", "the Norman Conquest of ten sixty-six."),
        .init("en-US", "at Hastings (1066)", "at Hastings (ten sixty-six)"),
        .init("en-US", "on 14 October 1066", "on the fourteenth of October ten sixty-six"),
        .init("en-US", "in May 1066", "in May ten sixty-six"),
        .init("en-US", asWritten: "in 1024 bytes, in 1080 of them, a sum of 1066."),
        .init("en-US", asWritten: "in 1080p, in 1000, multiplied by 1024."),
        .init("en-US", "in 1024 MB", "in 1024 megabytes"),
        .init("en-US", asWritten: "A chance of one in 1050 or 1 in 1050."),
        .init("en-US", asWritten: "a block (1024), an IQ of 1066."),
        .init("en-US", "On 3 May 1050 people came.", "On the third of May 1050 people came."),
        .init("de-DE", asWritten: "Im Jahr 1066 und (1066)"),
        // Scores
        .init("en-US", "The Lakers won 102-98.", "The Lakers won 102 to 98."),
        .init("es-ES", "Terminó 102-98.", "Terminó 102 a 98."),
        .init("en-US", asWritten: "A 747-400, model 102-98, room 131-127 and 401-7."),
        .init("en-US", asWritten: "See section 131-127, channel 140-100 and case 110-85."),
        .init("en-US", "They won 102-98, 110-95 and 120-99.", "They won 102 to 98, 110 to 95 and 120 to 99."),
        .init("en-US", "They won Game 7, 102-98.", "They won Game 7, 102 to 98."),
        .init("en-US", asWritten: "See § 143-98; case 110-85, 120-85."),
        .init("fr-FR", asWritten: "Les articles 132-75 et 132-80"),
        .init("en-US", asWritten: "She lives at 110-90 Queens Boulevard."),
    ]

    @Test("says numbers by what stands around them", arguments: neighbors)
    func saysNeighbors(_ row: TextOfBooksTests.Row) { check(row) }

    static let reported: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "It fell in 1097 and in 1397.",
            "It fell in ten ninety-seven and in thirteen ninety-seven."
        ),
        .init(
            "en-US",
            "From 1949 to 1976 and since 1099",
            "From nineteen forty-nine to nineteen seventy-six and since ten ninety-nine"
        ),
        .init("en-US", "the year 1984 or the quantity 1,984", "the year nineteen eighty-four or the quantity 1,984"),
        .init("en-US", asWritten: "Is it 1,234,567 or 3.14159?"),
        .init(
            "en-US",
            "3:30 this afternoon, 9:10 the next morning",
            "three thirty this afternoon, nine ten the next morning"
        ),
        .init("en-US", "Call 1300 555 019.", "Call one three zero zero, five five five, zero one nine."),
        .init("en-US", asWritten: "1300 people and 1800 others"),
        .init("en-US", "Right now it is 1:35 PM.", "Right now it is one thirty-five PM."),
        .init(
            "en-US",
            "$7667.47 at 09:08 AM",
            "seven thousand six hundred sixty-seven dollars and forty-seven cents at nine oh eight AM"
        ),
        .init("en-US", "some 93 thousand km", "some 93 thousand kilometres"),
        .init("et", "93 tuhat km", "93 tuhat kilomeetrit"),
        .init("es-ES", asWritten: "Siga por la N-620 y la N-632a."),
        .init("es-ES", "1 minuto y 31 minutos", "un minuto y treinta y un minutos"),
        .init("es-MX", "500000 humanos y 500000 personas", "500000 humanos y quinientas mil personas"),
        .init("fr-FR", "la 1ère sortie, puis la 2ème", "la première sortie, puis la deuxième"),
    ]

    @Test("says what further reports are about", arguments: reported)
    func saysReported(_ row: TextOfBooksTests.Row) { check(row) }

    // MARK: The same kinds in other dress

    static let otherNumerals: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "Henry VIII's wives and Louis XIV’s court",
            "Henry the eighth's wives and Louis the fourteenth's court"
        ),
        .init(
            "en-US",
            "Elizabeth I's reign and World War II's end",
            "Elizabeth the first's reign and World War two's end"
        ),
        .init("en-US", "Rocky IV's music", "Rocky four's music"),
        .init(
            "en-US",
            "in the XIX century and the XIV Amendment",
            "in the nineteenth century and the fourteenth Amendment"
        ),
        .init("en-US", "After WWII, a WWI-era gun", "After World War two, a World War one-era gun"),
        .init("en-US", asWritten: "The CD's case, Mary's IV drip and the MD's office."),
        .init("en-US", asWritten: "I'm sure it's Malcolm X's, and I'd say so."),
        .init("en-US", asWritten: "Mary's IV is out. The DI's word stands."),
        .init("es-ES", "la II Guerra Mundial", "la segunda Guerra Mundial"),
        .init("es-ES", "el III Reich y el I Congreso", "el tercer Reich y el primer Congreso"),
        .init("es-ES", "en su XXV aniversario", "en su vigésimo quinto aniversario"),
        .init("es-ES", "la I República", "la primera República"),
        .init("es-ES", "Tomo II, guerra y paz", "Tomo dos, guerra y paz"),
        .init("es-ES", asWritten: "El Plan B, la guerra y el CD Guerra."),
        .init("es-ES", asWritten: "Vi la guerra y di mil vueltas."),
        .init("es-ES", "una guerra, el siglo V y más", "una guerra, el siglo cinco y más"),
    ]

    @Test("has numerals with endings, and before nouns", arguments: otherNumerals)
    func saysOtherNumerals(_ row: TextOfBooksTests.Row) { check(row) }

    static let otherYears: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "a 1965 Mustang and an 1850 census",
            "a nineteen sixty-five Mustang and an eighteen fifty census"
        ),
        .init("en-US", "the 2011/12 season", "the twenty eleven twelve season"),
        .init("en-US", "in 1999/2000", "in nineteen ninety-nine two thousand"),
        .init("en-US", asWritten: "a 1500 mile trip, a 1200 page book and a 1500 hp engine"),
        .init("en-US", asWritten: "an 1100 person survey, a 1200-page book, a 1500 of them"),
        .init("en-US", asWritten: "the 1920 x 1080 display"),
        .init("en-US", asWritten: "File 2019/21, directive 2011/12/EU and 1500/20"),
        .init("de-DE", "in den 1980er Jahren", "in den neunzehnhundertachtziger Jahren"),
        .init("de-DE", "die 2010er-Jahre", "die zweitausendzehner-Jahre"),
        .init("de-DE", "Die 1848er Revolution", "Die achtzehnhundertachtundvierziger Revolution"),
        .init(
            "de-DE",
            "Saison 1990/91 und 2019/20",
            "Saison neunzehnhundertneunzig einundneunzig und zweitausendneunzehn zwanzig"
        ),
        .init("de-DE", asWritten: "Die 90er, der 500er und 1980erlei"),
        .init("es-ES", "Es la 1 de la tarde, ven a la 1 y media.", "Es la una de la tarde, ven a la una y media."),
        .init("es-ES", "Nos vemos a la 1.", "Nos vemos a la una."),
        .init("es-ES", asWritten: "Es la 1 que falta, la puerta 1, a la 1 y a la 2, a la 1,5."),
        .init("es-ES", "la temporada 2019/20", "la temporada dos mil diecinueve veinte"),
        .init("et", "1980ndatel aastatel", "tuhande üheksasaja kaheksakümnendatel aastatel"),
        .init("et", "90ndad, 1990-ndate lõpp", "üheksakümnendad, tuhande üheksasaja üheksakümnendate lõpp"),
        .init("et", asWritten: "2ndal, 3D ja 90n"),
    ]

    @Test("has years before nouns, with endings, and in pairs", arguments: otherYears)
    func saysOtherYears(_ row: TextOfBooksTests.Row) { check(row) }

    static let otherAmounts: [TextOfBooksTests.Row] = [
        .init("de-DE", "Es kostet 5,– € oder 19,- Euro.", "Es kostet fünf Euro oder neunzehn Euro."),
        .init("de-DE", "EUR 50,— und CHF 20.–", "fünfzig Euro und zwanzig Schweizer Franken"),
        .init("de-DE", asWritten: "Es sind 5,- und 19, – nicht mehr."),
        .init("en-US", "1,200 sq ft and 3 sq. miles", "1,200 square feet and 3 square miles"),
        .init("en-US", "1 tsp salt and 2 tbsp oil", "1 teaspoon salt and 2 tablespoons oil"),
        .init("en-US", asWritten: "The sq team, a tsp, and five tbsp."),
        .init(
            "en-US",
            "Assoc. Prof. Lee, Msgr. Ryan and Insp. Gray",
            "Associate Professor Lee, Monsignor Ryan and Inspector Gray"
        ),
        .init("en-US", "Ste. 200, Main Bldg., Ste. Anne", "suite 200, Main Building, Sainte Anne"),
        .init(
            "de-DE",
            "insb. Kinder, mind. 5, einschl. Essen, lfd. Nr. 3",
            "insbesondere Kinder, mindestens 5, einschließlich Essen, laufende Nummer 3"
        ),
        .init(
            "de-DE",
            "m. E. gilt das gem. Art. 5, a. a. O.",
            "meines Erachtens gilt das gemäß Artikel 5, am angegebenen Ort."
        ),
        .init("fr-FR", "Mgr Dupont et Cie. ici", "Monseigneur Dupont et compagnie ici"),
        .init("es-ES", "los JJ. OO. y las CC. AA. de hoy", "los Juegos Olímpicos y las comunidades autónomas de hoy"),
        .init("es-ES", "El Cnel. Ruiz y Mons. Gil", "El coronel Ruiz y monseñor Gil"),
    ]

    @Test("has prices without coins, measures of two words, and more abbreviations", arguments: otherAmounts)
    func saysOtherAmounts(_ row: TextOfBooksTests.Row) { check(row) }

    static let estonianCases: [TextOfBooksTests.Row] = [
        .init("et", "5-le, 5-ni, 5-t ja 10-t", "viiele, viieni, viit ja kümmet"),
        .init("et", "Ma elan 3 majas ja 2 linnas.", "Ma elan kolmes majas ja kahes linnas."),
        .init("et", "Andsin selle 3 inimesele.", "Andsin selle kolmele inimesele."),
        .init("et", "Tulen 2 nädala pärast.", "Tulen kahe nädala pärast."),
        .init("et", "Ta tuli 3 sõbraga 25 aastaks.", "Ta tuli kolme sõbraga kahekümne viieks aastaks."),
        .init("et", "10–15 minuti pärast", "kümne kuni viieteistkümne minuti pärast"),
        .init("et", "10\u{A0}000 inimesele", "kümne tuhandele inimesele"),
        .init("et", "30 päeva jooksul 1 korra eest", "kolmekümne päeva jooksul ühe korra eest"),
        .init("et", "5 võrra rohkem", "viie võrra rohkem"),
        .init("et", asWritten: "Ootasin 2 päeva, 5 inimest ja 3 last."),
        .init("et", asWritten: "2 tundi pärast seda, 2 päeva tagasi"),
        .init("et", asWritten: "2 kinga, 3 keelt, 3 lille, 3 banaani"),
        .init("et", asWritten: "60 korda minutis, 100 päevas ja 500 kuus"),
        .init("et", asWritten: "Punktile 4 aastaks, kell 5 hommikul, number 3 inimesele."),
        .init("et", asWritten: "1 aasta ja 1984 aastaks"),
        .init("et", "§ 5 lõikele 2 ja § 3 punktis 4", "paragrahv 5 lõikele 2 ja paragrahv 3 punktis 4"),
        .init("et", asWritten: "Seda nõuab lõike 2 punktis 3 seadus."),
        .init("et", "leheküljel 10–12 lastele", "leheküljel 10 kuni 12 lastele"),
        .init("et", "Lõppes 3:2 võiduga.", "Lõppes 3 2 võiduga."),
        .init("et", asWritten: "Ostsin 3 endale, 2 korraga ja jõudsin 4 kohale."),
        .init("et", asWritten: "Jõudsin pool 5 rongile ja bussiga 3 koolini."),
        .init("et", asWritten: "Windows 10 kasutajale, COVID-19 puhul"),
    ]

    @Test("has Estonian numbers in the cases of their nouns", arguments: estonianCases)
    func saysEstonianCases(_ row: TextOfBooksTests.Row) { check(row) }
}
