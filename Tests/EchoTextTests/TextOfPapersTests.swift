import EchoText
import Testing

/// Sentences of newspapers, novels and letters; they were made for these tests.
@Suite("Text of newspapers and letters")
struct TextOfPapersTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let english: [TextOfBooksTests.Row] = [
        .init("en-US", "The sale runs from Aug. 5–9.", "The sale runs from August fifth to ninth."),
        .init("en-US", "June 1-15, 2020, was dry.", "June first to fifteenth, twenty twenty, was dry."),
        .init("en-US", "It fell on September 11 and 12, 2001.", "It fell on September eleventh and twelfth, 2001."),
        .init("en-US", "Open May 1 to 5 people.", "Open May first to 5 people."),
        .init("en-US", "Come May 5-7 pm.", "Come May fifth-7 PM."),
        .init("en-US", "Open May–June and Monday–Friday", "Open May to June and Monday to Friday"),
        .init("en-US", "Mon. to Fri. and Sat. and Sun. too", "Monday to Friday and Saturday and Sunday too"),
        .init("en-US", "He plays Sonata No. 14, Op. 27, No. 2.", "He plays Sonata number 14, opus 27, number 2."),
        .init("en-US", "Take Rte. 66 west.", "Take Route 66 west."),
        .init(
            "en-US",
            "It took 1/10th of a second and 3/5ths of it.",
            "It took one tenth of a second and three fifths of it."
        ),
        .init(
            "en-US",
            "They raised $1.5-2 million and £5–6m.",
            "They raised one point five to two million dollars and five to six million pounds."
        ),
        .init(
            "en-US",
            "A $10-an-hour job paid in $100 bills.",
            "A ten dollar-an-hour job paid in one hundred dollar bills."
        ),
        .init("en-US", "The poet († 1832) slept.", "The poet (died eighteen thirty-two) slept."),
        .init(
            "en-US",
            "King Louis XVI lost his head in 1793.",
            "King Louis the sixteenth lost his head in seventeen ninety-three."
        ),
        .init(
            "en-US",
            "Queen Elizabeth II's corgis outlived her.",
            "Queen Elizabeth the second's corgis outlived her."
        ),
        .init("en-US", "Chapter XII opens with a storm.", "Chapter twelve opens with a storm."),
        .init("en-US", "Mary I of Scotland and James VI met.", "Mary the first of Scotland and James the sixth met."),
        .init(
            "en-US",
            "Henry V's army marched north; Act V is short.",
            "Henry the fifth's army marched north; Act five is short."
        ),
        .init("en-US", "Psalm XXIII comforts me.", "Psalm twenty-three comforts me."),
        .init("en-US", "By 1848, 1,500 men had left.", "By eighteen forty-eight, 1,500 men had left."),
        .init(
            "en-US",
            "The 1990 census counted 1990 people in 1,990 homes.",
            "The nineteen ninety census counted 1990 people in 1,990 homes."
        ),
        .init(
            "en-US",
            "He was born in 1066 BC and died c. 990.",
            "He was born in ten sixty-six BC and died circa 990."
        ),
        .init("en-US", "The population was 1920 in 1920.", "The population was 1920 in nineteen twenty."),
        .init(
            "en-US",
            "ISBN 978-0-14-103614-4 is on the back.",
            "ISBN nine seven eight, zero, one four, one zero three six one four, four is on the back."
        ),
        .init("en-US", "Martin Luther King Jr. was born in Atlanta.", "Martin Luther King Junior was born in Atlanta."),
        .init("en-US", "Rev. Dr. Martin Luther King spoke.", "Reverend Doctor Martin Luther King spoke."),
        .init(
            "en-US",
            "See Figs. 3 and 4, pp. 12-15, and ch. 9.",
            "See figures 3 and 4, pages 12 to 15, and chapter 9."
        ),
        .init("en-US", "“I'm at the St. Regis,” said Mrs. O'Brien.", "“I'm at the Saint Regis,” said Missus O'Brien."),
        .init("en-US", "It was 7 a.m. Monday when the call came.", "It was 7 AM Monday when the call came."),
        .init("en-US", "HE SAID HE WOULD CALL US.", "HE SAID HE WOULD CALL us."),
        .init("en-US", "PLEASE SAY IF I AM LATE.", "PLEASE say if I am LATE."),
        .init("en-US", "DR. NO AND MRS. PEEL ARE AT 5 OAK ST.", "Doctor NO AND Missus PEEL ARE AT 5 OAK Street."),
        .init("en-US", "He—and I mean this—is mad.", "He — and I mean this — is mad."),
        .init("en-US", "Meet me at 12:00, 12:15 pm or 3pm.", "Meet me at twelve o'clock, twelve fifteen PM or 3 PM."),
        .init("en-US", "Doors open 7:30–9:00 p.m.", "Doors open seven thirty to nine PM."),
        .init("en-US", "The call lasted 1h 20m.", "The call lasted 1 hour 20 minutes."),
        .init(
            "en-US",
            "At 8:15, the 8:02 still had not come.",
            "At eight fifteen, the eight oh two still had not come."
        ),
        .init("en-US", "On March 3rd, 1845, Florida joined.", "On March third, eighteen forty-five, Florida joined."),
        .init("en-US", "Letter of Jan. 9, 1862.", "Letter of January ninth, eighteen sixty-two."),
        .init(
            "en-US",
            "The 4th of July, the 21st century, her 3rd try.",
            "The fourth of July, the 21st century, her 3rd try."
        ),
        .init("en-US", "July 4, 1776, was a Thursday.", "July fourth, seventeen seventy-six, was a Thursday."),
        .init("en-US", "May 1 was cold; May 2019 was warm.", "May first was cold; May twenty nineteen was warm."),
        .init("en-US", "He owes me $1,000,000.", "He owes me one million dollars."),
        .init("en-US", "She paid £1.2m for it.", "She paid one point two million pounds for it."),
        .init(
            "en-US",
            "He made US$2.5bn and C$40.",
            "He made two point five billion US dollars and forty Canadian dollars."
        ),
        .init(
            "en-US",
            "$12K, $1.3M, $750k",
            "twelve thousand dollars, one point three million dollars, seven hundred fifty thousand dollars"
        ),
        .init("en-US", "Drive 60 mph for 3.5 mi.", "Drive 60 miles per hour for 3.5 miles."),
        .init("en-US", "The tank holds 15 gal.", "The tank holds 15 gallons."),
        .init("en-US", "25 sq. ft., 300 sq mi", "25 square feet, 300 square miles"),
        .init(
            "en-US",
            "2 tbsp. sugar, 1 tsp salt, 3 oz. of milk",
            "2 tablespoons sugar, 1 teaspoon salt, 3 ounces of milk"
        ),
        .init("en-US", "a 6-foot-2 guard; a 3-in. nail", "a 6-foot-2 guard; a 3-inch nail"),
        .init("en-US", "10-15 minutes, 5–6%", "10 to 15 minutes, 5 to 6%"),
        .init("en-US", "1,000–1,500 words", "1,000 to 1,500 words"),
        .init("en-US", "1/2 cup, 2 1/3 cups, 3/4 inch", "one half cup, 2 and one third cups, three quarters inch"),
        .init("en-US", "He drank ½ pint.", "He drank one half pint."),
        .init("en-US", "Text 555-0199 now.", "Text five five five, zero one nine nine now."),
        .init("en-US", "My number is 350-2140.", "My number is three five zero, two one four zero."),
        .init("en-US", "Some 500-1000 people came.", "Some 500 to 1000 people came."),
        .init("en-US", "pages 231-1045, from 753-1066", "pages 231 to 1045, from 753 to 1066"),
        .init("de-DE", "250-1000 Gäste, 230-1435 km", "250 bis 1000 Gäste, 230 bis 1435 Kilometer"),
        .init("et", "See maksab 500-1000 eurot.", "See maksab 500 kuni 1000 eurot."),
        .init("fr-FR", "Cela coûte 500-1000 euros.", "Cela coûte 500 à 1000 euros."),
        .init("es-ES", "de 230-1435 €, unas 300-1200 palabras", "de 230 a 1435 euros, unas 300 a 1200 palabras"),
        .init(
            "en-US",
            "Visit www.example.org/help or http://bbc.co.uk.",
            "Visit example dot org slash help or bbc dot co dot uk."
        ),
        .init("en-US", "Follow @nasa and #moon.", "Follow at nasa and hashtag moon."),
        .init("en-US", "A. A. Milne; B. B. King; J. J. Abrams", "A A Milne; B B King; J J Abrams"),
        .init("en-US", "Dr. J. Smith, M.D., and Prof. A. Jones", "Doctor J Smith, M D, and Professor A Jones"),
        .init("en-US", "Yes, no. 5 is mine.", "Yes, number 5 is mine."),
        .init(
            "en-US",
            "A 10 km run, a 5 ft fence and an 8 GB card",
            "A 10 kilometre run, a 5 foot fence and an 8 gigabyte card"
        ),
        .init("en-US", "a 10 km or so; the 10 km run", "a 10 kilometres or so; the 10 kilometres run"),
        .init(
            "en-US",
            "We met at 0700 hours and left by 1430 hours.",
            "We met at zero seven hundred hours and left by fourteen thirty hours."
        ),
        .init("en-US", "Landing: 0005 hours", "Landing: zero zero oh five hours"),
        .init("en-US", asWritten: "It broke at 1500 hours of work."),
        .init("en-US", "Dial 999 or 112.", "Dial nine nine nine or one one two."),
        .init("en-US", asWritten: "the 999 or 112 cases; call 1,999 or 112 people"),
        .init("en-US", "Sgt. Pepper, Capt. Ahab, Col. Mustard", "Sergeant Pepper, Captain Ahab, Colonel Mustard"),
        .init(
            "en-US",
            "Ludwig van Beethoven (1770–1827)",
            "Ludwig van Beethoven (seventeen seventy to eighteen twenty-seven)"
        ),
    ]

    @Test("are read in English", arguments: english)
    func readsEnglish(_ row: TextOfBooksTests.Row) { check(row) }

    static let german: [TextOfBooksTests.Row] = [
        .init(
            "de-DE",
            "Unter Kaiser Karl V. ging die Sonne nicht unter.",
            "Unter Kaiser Karl dem fünften ging die Sonne nicht unter."
        ),
        .init(
            "de-DE",
            "Die Regentschaft von Zar Nikolaus II. endete 1917.",
            "Die Regentschaft von Zar Nikolaus dem zweiten endete neunzehnhundertsiebzehn."
        ),
        .init(
            "de-DE",
            "Er sprach mit Papst Johannes Paul II. darüber.",
            "Er sprach mit Papst Johannes Paul dem zweiten darüber."
        ),
        .init(
            "de-DE",
            "Die Krone von Königin Elisabeth II. ist alt.",
            "Die Krone von Königin Elisabeth der zweiten ist alt."
        ),
        .init("de-DE", "Nach 1 Woche kam 1 Brief mit 1 Seite.", "Nach einer Woche kam ein Brief mit einer Seite."),
        .init(
            "de-DE",
            "Er trank 1 Bier und fuhr in der Formel 1 Rennen.",
            "Er trank ein Bier und fuhr in der Formel 1 Rennen."
        ),
        .init("de-DE", "ein Stück von 1 kg in 1 m Tiefe", "ein Stück von einem Kilogramm in einem Meter Tiefe"),
        .init(
            "de-DE",
            "1 1/2 Stunden, 2½ Liter und 7 ½ Jahre",
            "eineinhalb Stunden, zweieinhalb Liter und siebeneinhalb Jahre"
        ),
        .init("de-DE", "vom 3.–5. Mai und am 3./4. Juni", "vom dritten bis fünften Mai und am dritten vierten Juni"),
        .init(
            "de-DE",
            "Ferien: 24.12. bis 6.1., dann Schule",
            "Ferien: vierundzwanzigster Dezember bis sechsten Januar, dann Schule"
        ),
        .init("de-DE", "Beginn 15:30 h, Ende 17.45 h", "Beginn fünfzehn Uhr dreißig, Ende siebzehn Uhr fünfundvierzig"),
        .init(
            "de-DE",
            "Offen von Mo. bis Fr. und Sa. und So. auch",
            "Offen von Montag bis Freitag und Samstag und Sonntag auch"
        ),
        .init("de-DE", "Montag–Freitag, Januar–März", "Montag bis Freitag, Januar bis März"),
        .init(
            "de-DE",
            "Jahrgang 1950, Baujahr 1998",
            "Jahrgang neunzehnhundertfünfzig, Baujahr neunzehnhundertachtundneunzig"
        ),
        .init(
            "de-DE",
            "Goethe (* 1749, † 1832) schrieb.",
            "Goethe (geboren siebzehnhundertneunundvierzig, gestorben achtzehnhundertzweiunddreißig) schrieb."
        ),
        .init("de-DE", "Sonate op. 27 Nr. 2", "Sonate Opus 27 Nummer 2"),
        .init("de-DE", "i. A. Müller, gez. Schmidt", "im Auftrag Müller, gezeichnet Schmidt"),
        .init("de-DE", "Er fuhr nach Frankfurt a. M. und weiter.", "Er fuhr nach Frankfurt am Main und weiter."),
        .init(
            "de-DE",
            "Dipl.-Ing. Karl Meier und die St.-Pauli-Fans",
            "Diplomingenieur Karl Meier und die Sankt-Pauli-Fans"
        ),
        .init("de-DE", "Kap. III, Art. IV, Artikel II", "Kapitel drei, Artikel vier, Artikel zwei"),
        .init("de-DE", "1. Mose 3; 2. Korinther 5", "erster Mose 3; zweiter Korinther 5"),
        .init("de-DE", "Rufen Sie die 112 an.", "Rufen Sie die eins eins zwei an."),
        .init("de-DE", asWritten: "Die 112 Gäste kamen."),
        .init(
            "de-DE",
            "Das Zeitalter Ludwigs XIV. war prachtvoll.",
            "Das Zeitalter Ludwigs des vierzehnten war prachtvoll."
        ),
        .init("de-DE", "Im XX. Jahrhundert gab es zwei Kriege.", "Im zwanzigsten Jahrhundert gab es zwei Kriege."),
        .init("de-DE", "Akt II, Szene III.", "Akt zwei, Szene drei."),
        .init("de-DE", "Der Erste Weltkrieg, der II. Weltkrieg.", "Der Erste Weltkrieg, der zweite Weltkrieg."),
        .init("de-DE", "Der 1. Mai ist ein Feiertag.", "Der erste Mai ist ein Feiertag."),
        .init("de-DE", "Im 21. Jahrhundert lebt man länger.", "Im einundzwanzigsten Jahrhundert lebt man länger."),
        .init("de-DE", "Das war mein 1. Versuch.", "Das war mein erster Versuch."),
        .init("de-DE", "Die 9. Symphonie von Beethoven.", "Die neunte Symphonie von Beethoven."),
        .init("de-DE", "In der 2. Halbzeit fiel das Tor.", "In der zweiten Halbzeit fiel das Tor."),
        .init("de-DE", "Vom 5. bis 8. Juni war er krank.", "Vom fünften bis achten Juni war er krank."),
        .init(
            "de-DE",
            "Er wurde am 3.4.1965 geboren.",
            "Er wurde am dritten April neunzehnhundertfünfundsechzig geboren."
        ),
        .init(
            "de-DE",
            "Die 3. Klasse fährt am 2. Juli nach Bonn.",
            "Die dritte Klasse fährt am zweiten Juli nach Bonn."
        ),
        .init("de-DE", "Um 1900 lebten hier 1900 Menschen.", "Um neunzehnhundert lebten hier 1900 Menschen."),
        .init("de-DE", "Das Haus wurde 1905 erbaut.", "Das Haus wurde neunzehnhundertfünf erbaut."),
        .init(
            "de-DE",
            "1.000.000 Euro, 2.500 Schafe, 12 500 Leute",
            "eine Million Euro, 2.500 Schafe, zwölftausendfünfhundert Leute"
        ),
        .init("de-DE", "Er kam, d. h., er wollte kommen.", "Er kam, das heißt, er wollte kommen."),
        .init("de-DE", "Prof. Dr. Meier lehrt in St. Gallen.", "Professor Doktor Meier lehrt in Sankt Gallen."),
        .init("de-DE", "Das kostet ca. 5 Mio. Euro.", "Das kostet circa fünf Millionen Euro."),
        .init("de-DE", "Bitte um Antwort bis Fr., 5. Mai.", "Bitte um Antwort bis Freitag, fünfter Mai."),
        .init("de-DE", "Vgl. Anm. 3, ebd., S. 7.", "vergleiche Anmerkung 3, ebenda, Seite 7."),
        .init(
            "de-DE",
            "Der Zug Berlin–Hamburg fährt um 9.15 Uhr.",
            "Der Zug Berlin–Hamburg fährt um neun Uhr fünfzehn."
        ),
        .init(
            "de-DE",
            "S. 5–9, 1914–1918, Mo–Fr",
            "Seite 5 bis 9, neunzehnhundertvierzehn bis neunzehnhundertachtzehn, Montag bis Freitag"
        ),
        .init(
            "de-DE",
            "Der Film beginnt um 20.15 Uhr und endet gegen 22 Uhr.",
            "Der Film beginnt um zwanzig Uhr fünfzehn und endet gegen 22 Uhr."
        ),
        .init("de-DE", "Der Anruf dauerte 1:20 Std.", "Der Anruf dauerte eine Stunde und zwanzig Minuten."),
        .init("de-DE", "Montag, 3. Februar", "Montag, dritter Februar"),
        .init("de-DE", "im Okt. 1990", "im Oktober neunzehnhundertneunzig"),
        .init("de-DE", "100 Mio. €, 2,5 Mrd. US-Dollar", "hundert Millionen Euro, 2,5 Milliarden US-Dollar"),
        .init("de-DE", "EUR 50,00; € 19,95", "fünfzig Euro; neunzehn Euro fünfundneunzig"),
        .init("de-DE", "Das macht 12,- Euro.", "Das macht zwölf Euro."),
        .init("de-DE", "1.299,00 EUR", "tausendzweihundertneunundneunzig Euro"),
        .init("de-DE", "0,99 € pro Stück", "neunundneunzig Cent pro Stück"),
        .init("de-DE", "Bei 30 °C und 5 km/h Wind.", "Bei 30 Grad Celsius und 5 Kilometer pro Stunde Wind."),
        .init("de-DE", "2 l Milch, 500 ml Sahne, 1 kg Mehl", "2 Liter Milch, 500 Milliliter Sahne, ein Kilogramm Mehl"),
        .init("de-DE", "–5 °C, 3–5 °C", "minus 5 Grad Celsius, 3 bis 5 Grad Celsius"),
        .init("de-DE", "in 5 Min., nach 2 Std.", "in 5 Minuten, nach 2 Stunden."),
        .init("de-DE", "3 cm x 4 cm", "3 Zentimeter mal 4 Zentimeter"),
        .init("de-DE", "2–3 Mal am Tag, 3- bis 4-mal", "2 bis 3 Mal am Tag, 3- bis 4-mal"),
        .init("de-DE", "2/3 der Wähler, 1/4 aller Kinder", "zwei Drittel der Wähler, ein Viertel aller Kinder"),
        .init(
            "de-DE",
            "www.beispiel.de, https://www.tagesschau.de/inland",
            "beispiel Punkt de, tagesschau Punkt de Schrägstrich inland"
        ),
        .init("de-DE", "Folgen Sie @zdf und #tatort.", "Folgen Sie ät zdf und Hashtag tatort."),
        .init("de-DE", "Das Ergebnis war 2:1 (1:0).", "Das Ergebnis war 2 zu 1 (1 zu 0)."),
        .init("de-DE", "das 19. und 20. Jh.", "das neunzehnte und zwanzigste Jahrhundert."),
        .init(
            "de-DE",
            "ggf. morgen, evtl. später, bzw. nie, max. 3, min. 2",
            "gegebenenfalls morgen, eventuell später, beziehungsweise nie, maximal 3, mindestens 2"
        ),
        .init("de-DE", "Otto I. und Otto II. herrschten.", "Otto der erste und Otto der zweite herrschten."),
        .init(
            "de-DE",
            "der Sohn Friedrichs II., Papst Pius XII.",
            "der Sohn Friedrichs des zweiten, Papst Pius der zwölfte."
        ),
        .init(
            "de-DE",
            "am 20. und 21. Mai, am 5. oder 6. Juni",
            "am zwanzigsten und einundzwanzigsten Mai, am fünften oder sechsten Juni"
        ),
        .init("de-DE", "Am 7. Tag ruhte er.", "Am siebten Tag ruhte er."),
        .init("de-DE", "der 16. Präsident der USA", "der sechzehnte Präsident der USA"),
        .init("de-DE", "der 20. Juli 1944", "der zwanzigste Juli neunzehnhundertvierundvierzig"),
        .init("de-DE", "Am 3. Februar 1933 sprach er.", "Am dritten Februar neunzehnhundertdreiunddreißig sprach er."),
    ]

    @Test("are read in German", arguments: german)
    func readsGerman(_ row: TextOfBooksTests.Row) { check(row) }

    static let french: [TextOfBooksTests.Row] = [
        .init("fr-FR", "1 000 000 d'habitants et 2 000 000 de voix", "un million d'habitants et deux millions de voix"),
        .init("fr-FR", "Il a 1 seule fois dit oui.", "Il a une seule fois dit oui."),
        .init(
            "fr-FR",
            "Tél. : 06.12.34.56.78",
            "téléphone : zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit"
        ),
        .init("fr-FR", "Les 1ers et les 1res", "Les premiers et les premières"),
        .init("fr-FR", "Op. 27 n° 2", "opus 27 numéro 2"),
        .init("fr-FR", "p. IV, pages ix à xii", "page quatre, pages neuf à douze"),
        .init("fr-FR", "Ouvert lundi-vendredi et mai–juin", "Ouvert lundi à vendredi et mai à juin"),
        .init("fr-FR", "Ouvert lun. au ven. de 9h à 12h", "Ouvert lundi au vendredi de 9 heures à 12 heures"),
        .init(
            "fr-FR",
            "Louis XIV mourut en 1715, Louis XVI en 1793.",
            "Louis quatorze mourut en 1715, Louis seize en 1793."
        ),
        .init("fr-FR", "Le XVIIIe siècle et le XIXᵉ siècle.", "Le dix-huitième siècle et le dix-neuvième siècle."),
        .init("fr-FR", "François Ier rencontra Henri VIII.", "François premier rencontra Henri huit."),
        .init("fr-FR", "Au chapitre III, acte II, scène IV.", "Au chapitre trois, acte deux, scène quatre."),
        .init("fr-FR", "Le pape Jean-Paul II et Benoît XVI.", "Le pape Jean-Paul deux et Benoît seize."),
        .init("fr-FR", "Napoléon III perdit à Sedan.", "Napoléon trois perdit à Sedan."),
        .init("fr-FR", "Le tome II, p. 45, de l'édition de 1900.", "Le tome deux, page 45, de l'édition de 1900."),
        .init(
            "fr-FR",
            "La Ve République, le IIe arrondissement.",
            "La cinquième République, le deuxième arrondissement."
        ),
        .init("fr-FR", "Élisabeth II régna 70 ans.", "Élisabeth deux régna 70 ans."),
        .init("fr-FR", "Au Ier siècle av. J.-C., Rome grandit.", "Au premier siècle avant Jésus-Christ, Rome grandit."),
        .init("fr-FR", "Les XVIe et XVIIe siècles.", "Les seizième et dix-septième siècles."),
        .init("fr-FR", "De 1914 à 1918, 1939-1945.", "De 1914 à 1918, 1939 à 1945."),
        .init("fr-FR", "Il a 1 fille et 1 fils.", "Il a une fille et 1 fils."),
        .init(
            "fr-FR",
            "21 personnes, 31 filles, 41 voitures",
            "vingt et une personnes, trente et une filles, quarante et une voitures"
        ),
        .init("fr-FR", "Il reste 1 place et 1 chaise.", "Il reste une place et une chaise."),
        .init("fr-FR", "101 dalmatiens, 81 pages", "101 dalmatiens, quatre-vingt-une pages"),
        .init(
            "fr-FR",
            "Mme Martin, Mlle Petit et MM. Roux et Blanc",
            "Madame Martin, Mademoiselle Petit et Messieurs Roux et Blanc"
        ),
        .init("fr-FR", "Le Dr Leroy et Me Dupont", "Le Docteur Leroy et Maître Dupont"),
        .init("fr-FR", "St-Germain, Ste-Marie, St Malo", "Saint-Germain, Sainte-Marie, Saint Malo"),
        .init("fr-FR", "Cf. p. 12, t. 3, vol. 2, chap. 5", "confer page 12, tome 3, volume 2, chapitre 5"),
        .init("fr-FR", "Env. 300 pers. étaient là.", "environ 300 personnes étaient là."),
        .init("fr-FR", "La Cie des Indes, S.A., S.N.C.F.", "La Cie des Indes, S A, S N C F."),
        .init("fr-FR", "C'est-à-dire, p. ex. Paris.", "C'est-à-dire, par exemple Paris."),
        .init("fr-FR", "art. 5, al. 2, fig. 3", "article 5, alinéa 2, figure 3"),
        .init("fr-FR", asWritten: "ATTENTION AU CHIEN"),
        .init("fr-FR", asWritten: "IL EST LÀ ET ELLE SE TAIT"),
        .init("fr-FR", asWritten: "QUE FAIRE SI LE TRAIN NE PART PAS ?"),
        .init("fr-FR", asWritten: "LE ROI EST MORT, VIVE LE ROI"),
        .init("fr-FR", "Il attendait–en vain.", "Il attendait — en vain."),
        .init("fr-FR", "pp. 3-9, 1870-1871", "pages 3 à 9, 1870 à 1871"),
        .init(
            "fr-FR",
            "de 9 h à 17 h, de 14h00 à 16h30",
            "de 9 heures à 17 heures, de quatorze heures à seize heures trente"
        ),
        .init("fr-FR", "20:30, 12:00", "vingt heures trente, douze heures"),
        .init("fr-FR", "midi 30, 1 h du matin, 21 h", "midi 30, une heure du matin, vingt et une heures"),
        .init("fr-FR", "Le 1er mai, le 2 juin, le 14 juillet 1789", "Le premier mai, le 2 juin, le 14 juillet 1789"),
        .init(
            "fr-FR",
            "lundi 3 mars 2020, le 25/12/2023",
            "lundi 3 mars 2020, le vingt-cinq décembre deux mille vingt-trois"
        ),
        .init("fr-FR", "du 3 au 5 mai, les 1er et 2 juin", "du 3 au 5 mai, les premier et 2 juin"),
        .init("fr-FR", "Paris, le 4 avr. 1862", "Paris, le quatre avril 1862"),
        .init("fr-FR", "janv. 2020, le 12 févr.", "janvier 2020, le douze février."),
        .init("fr-FR", "mardi 1er avril", "mardi premier avril"),
        .init(
            "fr-FR",
            "4,99 €, 1 €, 21 €, 3,50 euros",
            "quatre euros quatre-vingt-dix-neuf, 1 euro, 21 euros, 3,50 euros"
        ),
        .init(
            "fr-FR",
            "1 000 €, 2,5 millions d'euros, 3 M€, 10 Md€",
            "mille euros, 2,5 millions d'euros, trois millions d'euros, dix milliards d'euros"
        ),
        .init("fr-FR", "20 $, 5 £, 100 CHF", "20 dollars, 5 livres, 100 francs suisses"),
        .init("fr-FR", "entre 5 et 10 €, 20-30 €", "entre 5 et 10 euros, 20 à 30 euros"),
        .init("fr-FR", "12€50, 5 €/kg", "douze euros cinquante, 5 euros par kilogramme"),
        .init("fr-FR", "1,80 m, 75 kg, 20 °C", "1,80 mètre, 75 kilogrammes, 20 degrés Celsius"),
        .init("fr-FR", "130 km/h, 5 km, 120 m²", "130 kilomètres à l'heure, 5 kilomètres, 120 mètres carrés"),
        .init("fr-FR", "2 l de lait, 50 cl, 1 kg", "2 litres de lait, 50 centilitres, 1 kilogramme"),
        .init("fr-FR", "1 c. à soupe, 2 cuil. à café", "une cuillère à soupe, 2 cuillères à café"),
        .init("fr-FR", "10-15 min, 5 à 6 h", "10 à 15 minutes, 5 à 6 heures"),
        .init("fr-FR", "-5 °C, 3 cm x 4 cm", "moins 5 degrés Celsius, 3 centimètres sur 4 centimètres"),
        .init("fr-FR", "1 t, 1 h, 21 min", "une tonne, une heure, vingt et une minutes"),
        .init(
            "fr-FR",
            "1/2 litre, 1/4 d'heure, 3/4 des gens",
            "un demi litre, un quart d'heure, trois quarts des gens"
        ),
        .init(
            "fr-FR",
            "www.exemple.fr, https://lemonde.fr/sport",
            "exemple point fr, lemonde point fr barre oblique sport"
        ),
        .init("fr-FR", "contact@mairie-lyon.fr", "contact arobase mairie tiret lyon point fr"),
        .init("fr-FR", "Le match : 3-2, 2 à 1, 15-10", "Le match : 3 à 2, 2 à 1, 15 à 10"),
        .init(
            "fr-FR",
            "La 1re fois, le 2e étage, la 3ème rue, le 21e",
            "La première fois, le deuxième étage, la troisième rue, le vingt et unième"
        ),
        .init("fr-FR", "Le 3e Reich, la IIIe République", "Le troisième Reich, la troisième République"),
        .init("fr-FR", "CM2, 6e, Terminale S", "CM2, sixième, Terminale S"),
        .init("fr-FR", "50e anniversaire; 200e numéro", "cinquantième anniversaire; deux centième numéro"),
        .init("fr-FR", "Le 11 septembre 2001, le 11-Septembre", "Le 11 septembre 2001, le onze septembre"),
        .init("fr-FR", "1 500, 1.500 et 1500", "mille cinq cents, 1.500 et 1500"),
        .init("fr-FR", "Charles Ier, Guillaume II d'Orange", "Charles premier, Guillaume deux d'Orange"),
        .init(
            "fr-FR",
            "Philippe II Auguste, Alexandre II de Russie",
            "Philippe deux Auguste, Alexandre deux de Russie"
        ),
        .init("fr-FR", "XXe, XXIe, XIIe-XIIIe siècle", "vingtième, vingt et unième, douzième-treizième siècle"),
        .init("fr-FR", "Le roi Louis IX dit Saint Louis", "Le roi Louis neuf dit Saint Louis"),
        .init("fr-FR", "Vatican II, Rocky IV", "Vatican deux, Rocky quatre"),
    ]

    @Test("are read in French", arguments: french)
    func readsFrench(_ row: TextOfBooksTests.Row) { check(row) }

    static let spanish: [TextOfBooksTests.Row] = [
        .init("es-ES", "S. M. el Rey y SS. MM. los Reyes", "Su Majestad el Rey y Sus Majestades los Reyes"),
        .init("es-ES", "Op. 27, n.º 2", "opus 27, número 2"),
        .init("es-ES", "p. IV, páginas ix a xii", "página cuatro, páginas nueve a doce"),
        .init("es-ES", "El capítulo V y vi la casa.", "El capítulo cinco y vi la casa."),
        .init(
            "es-ES",
            "No. 3 de la lista, 2.º izq., 3.º dcha.",
            "número 3 de la lista, segundo izquierda, tercero derecha."
        ),
        .init("es-ES", "Abierto lunes–viernes y mayo-junio", "Abierto lunes a viernes y mayo a junio"),
        .init("es-ES", "Felipe II reinó en el siglo XVI.", "Felipe segundo reinó en el siglo dieciséis."),
        .init("es-ES", "Alfonso X el Sabio, Carlos I de España.", "Alfonso décimo el Sabio, Carlos primero de España."),
        .init("es-ES", "El papa Juan Pablo II y Benedicto XVI.", "El papa Juan Pablo segundo y Benedicto dieciséis."),
        .init("es-ES", "Isabel II abdicó en 1868.", "Isabel segunda abdicó en 1868."),
        .init("es-ES", "Los siglos XVIII y XIX.", "Los siglos dieciocho y diecinueve."),
        .init(
            "es-ES",
            "Capítulo IV, acto II, escena III, tomo V.",
            "Capítulo cuatro, acto dos, escena tres, tomo cinco."
        ),
        .init("es-ES", "Luis XIV murió en 1715.", "Luis catorce murió en 1715."),
        .init("es-ES", "La II República y la I Guerra Mundial.", "La segunda República y la primera Guerra Mundial."),
        .init(
            "es-ES",
            "El siglo V antes de Cristo, siglo I a. C.",
            "El siglo cinco antes de Cristo, siglo uno antes de Cristo."
        ),
        .init("es-ES", "Fernando VII, Enrique VIII y Pío XII.", "Fernando séptimo, Enrique octavo y Pío doce."),
        .init("es-ES", "La VI edición y el XX aniversario.", "La sexta edición y el vigésimo aniversario."),
        .init("es-ES", "De 1936 a 1939, 1914-1918", "De 1936 a 1939, 1914 a 1918"),
        .init("es-ES", "Tengo 1 hijo y 1 hija.", "Tengo un hijo y una hija."),
        .init(
            "es-ES",
            "21 mujeres, 31 libros, 200 casas, 500 hojas",
            "veintiuna mujeres, treinta y un libros, doscientas casas, quinientas hojas"
        ),
        .init("es-ES", "1 vez, 21 años, 101 noches", "una vez, veintiún años, ciento una noches"),
        .init("es-ES", "Hay 1 silla y 1 mesa.", "Hay una silla y una mesa."),
        .init("es-ES", "300 personas, 201 páginas", "trescientas personas, doscientas una páginas"),
        .init("es-ES", "El Sr. Pérez y la Sra. Gómez llegaron.", "El señor Pérez y la señora Gómez llegaron."),
        .init("es-ES", "D. Juan y Dña. Ana", "don Juan y doña Ana"),
        .init("es-ES", "pág. 12, págs. 3-5, cap. 4, vol. 2", "página 12, páginas 3 a 5, capítulo 4, volumen 2"),
        .init("es-ES", "p. ej. Madrid, núm. 5, art. 3", "por ejemplo Madrid, número 5, artículo 3"),
        .init("es-ES", "Sta. Cruz, Sto. Domingo, Sto. Tomás", "Santa Cruz, Santo Domingo, Santo Tomás"),
        .init("es-ES", "Ud. sabe, Uds. saben", "usted sabe, ustedes saben"),
        .init("es-ES", asWritten: "NO SE LO QUE ME DICES"),
        .init("es-ES", asWritten: "QUE NO SE DIGA QUE LO HE DICHO YO"),
        .init("es-ES", "pp. 3-9, 2019-2020", "páginas 3 a 9, 2019 a 2020"),
        .init(
            "es-ES",
            "A las 8:30, a las 20.15 h, a la 1:15",
            "A las ocho treinta, a las veinte quince, a la una quince"
        ),
        .init("es-ES", "de 9 a 14 h, de 9:00 a 14:30", "de 9 a 14 horas, de nueve horas a catorce treinta"),
        .init("es-ES", "a las 5 p. m., a las 10 a. m.", "a las 5 P M, a las 10 A M."),
        .init("es-ES", "a la 1, a las 12", "a la una, a las 12"),
        .init(
            "es-ES",
            "lunes, 3 de marzo de 2020; 25/12/2023",
            "lunes, 3 de marzo de 2020; veinticinco de diciembre de dos mil veintitrés"
        ),
        .init("es-ES", "Madrid, 4 de abr. de 1862", "Madrid, cuatro de abril de 1862"),
        .init(
            "es-ES",
            "1.º de mayo, 1er piso, 3.er lugar, 2.ª vez",
            "primero de mayo, primer piso, tercer lugar, segunda vez"
        ),
        .init(
            "es-ES",
            "4,99 €, 1 €, 21 €, 3,50 euros",
            "cuatro euros con noventa y nueve céntimos, un euro, veintiún euros, 3,50 euros"
        ),
        .init(
            "es-ES",
            "1.000 €, 2,5 millones de euros, 3 M€",
            "mil euros, 2,5 millones de euros, tres millones de euros"
        ),
        .init("es-ES", "20 $, 5 £, US$ 100", "20 dólares, 5 libras, cien dólares"),
        .init("es-ES", "entre 5 y 10 €, 20-30 €", "entre 5 y 10 euros, 20 a 30 euros"),
        .init("es-ES", "200 libras, 300 pesetas, 1 peseta", "doscientas libras, trescientas pesetas, una peseta"),
        .init("es-ES", "1,80 m, 75 kg, 20 °C", "1,80 metros, 75 kilogramos, 20 grados Celsius"),
        .init("es-ES", "120 km/h, 5 km, 120 m²", "120 kilómetros por hora, 5 kilómetros, 120 metros cuadrados"),
        .init("es-ES", "2 l de leche, 1 kg, 250 g", "2 litros de leche, un kilogramo, 250 gramos"),
        .init("es-ES", "10-15 min, de 5 a 6 h", "10 a 15 minutos, de 5 a 6 horas"),
        .init("es-ES", "-5 °C, 3 cm x 4 cm", "menos 5 grados Celsius, 3 centímetros por 4 centímetros"),
        .init("es-ES", "200 t, 21 h, 1 h", "doscientas toneladas, veintiuna horas, una hora"),
        .init("es-ES", "1/2 litro, 3/4 de hora, 1/4 de kilo", "medio litro, tres cuartos de hora, un cuarto de kilo"),
        .init(
            "es-ES",
            "1 1/2 taza, ½ cucharada, 2/3 de los votos",
            "una y media taza, media cucharada, dos tercios de los votos"
        ),
        .init(
            "es-ES",
            "Tel.: 912 345 678",
            "teléfono: novecientos doce, trescientos cuarenta y cinco, seiscientos setenta y ocho"
        ),
        .init(
            "es-ES",
            "www.ejemplo.es, https://elpais.com/deportes",
            "ejemplo punto es, elpais punto com barra deportes"
        ),
        .init("es-ES", "info@correo-madrid.es", "info arroba correo guion madrid punto es"),
        .init("es-ES", "J. R. R. Tolkien, G. García Márquez", "J R R Tolkien, G García Márquez"),
        .init("es-ES", "M. Vargas Llosa y J. L. Borges", "M Vargas Llosa y J L Borges"),
        .init("es-ES", "El 3.º, la 5.ª, el 21.º", "El tercero, la quinta, el vigésimo primero"),
        .init("es-ES", "una mujer de 21 años, un niño de 1 año", "una mujer de veintiún años, un niño de un año"),
        .init("es-ES", "1 500, 1.500 y 1500", "mil quinientos, 1.500 y 1500"),
        .init("es-ES", "hace 1 año, 1 mes, 1 hora", "hace un año, un mes, una hora"),
        .init("es-ES", "200 000 personas, 21 000 casas", "doscientas mil personas, veintiuna mil casas"),
        .init("es-ES", "Juan XXIII, León XIII, Inocencio III", "Juan veintitrés, León trece, Inocencio tres"),
        .init(
            "es-ES",
            "Felipe V de Borbón, Carlos V, Felipe VI",
            "Felipe quinto de Borbón, Carlos quinto, Felipe sexto"
        ),
        .init("es-ES", "el rey Sancho IV el Bravo", "el rey Sancho cuarto el Bravo"),
        .init("es-ES", "Vaticano II, Rocky IV, Juan I", "Vaticano dos, Rocky cuatro, Juan primero"),
        .init("es-ES", "la Reina Victoria I y Jorge V", "la Reina Victoria primera y Jorge quinto"),
        .init("es-ES", "III Congreso, XV Legislatura", "tercer Congreso, decimoquinta Legislatura"),
        .init(
            "es-ES",
            "201 votos, 551 personas, 21.000 libras",
            "doscientos un votos, quinientas cincuenta y una personas, veintiuna mil libras"
        ),
        .init("es-ES", "la 1.ª y la 2.ª", "la primera y la segunda"),
        .init("es-ES", "el 20% de 500 personas", "el 20% de quinientas personas"),
        .init("es-ES", "Fdo.: Juan Pérez", "firmado: Juan Pérez"),
        .init("es-ES", "Bach (1685–1750)", "Bach (1685 a 1750)"),
    ]

    @Test("are read in Spanish", arguments: spanish)
    func readsSpanish(_ row: TextOfBooksTests.Row) { check(row) }

    static let estonian: [TextOfBooksTests.Row] = [
        .init("et", "II maailmasõja ajal ja I korrusel", "teise maailmasõja ajal ja esimesel korrusel"),
        .init("et", "Kell on 7.05 juba.", "Kell on seitse null viis juba."),
        .init("et", "10 m kõrgune ja 5 m sügavune", "kümne meetri kõrgune ja viie meetri sügavune"),
        .init("et", "1 aasta pärast ja 1 nädala eest", "ühe aasta pärast ja ühe nädala eest"),
        .init("et", "Helista 5123 4567 ja kirjuta.", "Helista viis üks kaks kolm, neli viis kuus seitse ja kirjuta."),
        .init("et", "2023/24. õppeaastal", "kahe tuhande kahekümne kolmandal kahekümne neljandal õppeaastal"),
        .init("et", "esmaspäev–reede, mai–juuni", "esmaspäev kuni reede, mai kuni juuni"),
        .init("et", "lp härra Saar", "lugupeetud härra Saar"),
        .init("et", "Op. 27 nr 2", "oopus 27 number 2"),
        .init("et", "Karl XII ja Peeter I sõdisid.", "Karl kaheteistkümnes ja Peeter esimene sõdisid."),
        .init(
            "et",
            "Paavst Johannes Paulus II suri 2005. aastal.",
            "Paavst Johannes Paulus teine suri kahe tuhande viiendal aastal."
        ),
        .init("et", "III peatükk, II köide, IV vaatus", "kolmas peatükk, teine köide, neljas vaatus"),
        .init("et", "XXV laulupidu, XIV tantsupeol", "kahekümne viies laulupidu, neljateistkümnendal tantsupeol"),
        .init("et", "Aleksander I ja Nikolai I", "Aleksander esimene ja Nikolai esimene"),
        .init("et", "aastal 1944, aastail 1941–1944", "aastal 1944, aastail 1941 kuni 1944"),
        .init("et", "21. juunil, 1. jaanuaril 2020", "kahekümne esimesel juunil, esimesel jaanuaril 2020"),
        .init("et", "Ta elab 3. korrusel.", "Ta elab kolmandal korrusel."),
        .init("et", "5. klassi õpilane, 12. klass", "viienda klassi õpilane, kaheteistkümnes klass"),
        .init("et", "Vaata lk 45 ja ptk 3.", "Vaata lehekülg 45 ja peatükk 3."),
        .init("et", "Helista 112.", "Helista üks üks kaks."),
        .init("et", "10 aasta jooksul, 5 minutiga", "kümne aasta jooksul, viie minutiga"),
        .init("et", "Dr Tamm ja prof. Kask tulid.", "doktor Tamm ja professor Kask tulid."),
        .init("et", "Nt homme, s.t ülehomme, st kunagi", "näiteks homme, see tähendab ülehomme, see tähendab kunagi"),
        .init("et", "300. a eKr, 5. saj pKr", "kolmesajandal aastal enne Kristust, viies sajand pärast Kristust"),
        .init("et", asWritten: "TA EI TULE KOJU"),
        .init("et", "Ta läks—ja ei tulnud.", "Ta läks — ja ei tulnud."),
        .init(
            "et",
            "Film algab kell 19.00 ja lõpeb kell 21.30.",
            "Film algab kell üheksateist ja lõpeb kell kakskümmend üks kolmkümmend."
        ),
        .init("et", "kella 5 ajal, kell 13:45", "kella 5 ajal, kell kolmteist nelikümmend viis"),
        .init("et", "1.–5. mail, 3.-5. juunini", "esimesel kuni viiendal mail, kolmandast kuni viienda juunini"),
        .init("et", "31. detsembriks, 1. septembrist", "kolmekümne esimeseks detsembriks, esimesest septembrist"),
        .init("et", "12.05.2021 kell 12.00", "kaheteistkümnes mai kaks tuhat kakskümmend üks kell kaksteist"),
        .init("et", "1000 eurot, 2,5 mln eurot, 3 mld €", "1000 eurot, 2,5 miljonit eurot, kolm miljardit eurot"),
        .init("et", "5–10 €, 20-30 eurot", "5 kuni 10 eurot, 20 kuni 30 eurot"),
        .init("et", "1,80 m, 75 kg, 20 °C", "1,80 meetrit, 75 kilogrammi, 20 Celsiuse kraadi"),
        .init("et", "2 l piima, 1 kg jahu, 500 ml", "2 liitrit piima, 1 kilogramm jahu, 500 milliliitrit"),
        .init("et", "10–15 min, 5-6 tundi", "10 kuni 15 minutit, 5 kuni 6 tundi"),
        .init("et", "10-protsendiline, 5%-line", "kümneprotsendiline, viieprotsendiline"),
        .init("et", "1½ tundi, ½ kg", "1 ja pool tundi, pool kilogrammi"),
        .init("et", "www.naide.ee, https://err.ee/uudised", "naide punkt ee, err punkt ee kaldkriips uudised"),
        .init("et", "A. H. Tammsaare, J. V. Jannsen", "A H Tammsaare, J V Jannsen"),
        .init("et", "E. Vilde, O. Luts", "E Vilde, O Luts"),
        .init("et", "nr 5, nr. 7", "number 5, number 7"),
        .init("et", "kuni 5. juunini, alates 1. maist", "kuni viienda juunini, alates esimesest maist"),
        .init("et", "2. koht, 3. kohta", "teine koht, kolmandat kohta"),
        .init("et", "17.–19. sajandil", "seitsmeteistkümnendal kuni üheksateistkümnendal sajandil"),
        .init("et", "teisel, 2. päeval, 3. nädalal", "teisel, teisel päeval, kolmandal nädalal"),
        .init("et", "5. oktoober 1950 – 3. märts 2001", "viies oktoober 1950 kuni kolmas märts 2001"),
        .init("et", "60-ndad, 80ndad", "kuuekümnendad, kaheksakümnendad"),
    ]

    @Test("are read in Estonian", arguments: estonian)
    func readsEstonian(_ row: TextOfBooksTests.Row) { check(row) }

    static let others: [TextOfBooksTests.Row] = [
        .init("en-US", asWritten: "Boeing 737s, F-16s and MiG-29s flew."),
        .init("en-US", "Set Timeout 300s now.", "Set Timeout 300 seconds now."),
        .init("en-US", asWritten: "The co-op. 20 members bought an iPad Gen. 5 and Software Rev. 12 for it."),
        .init("en-US", "† 2019 figures are estimates.", " 2019 figures are estimates."),
        .init("en-US", "May 5–9 a.m. is free.", "May fifth–9 AM is free."),
        .init("de-DE", asWritten: "Nach der OP. 3 Stunden später schlief sie."),
        .init("de-DE", "Die Fahrt dauert 2.30 h.", "Die Fahrt dauert 2.30 Stunden."),
        .init("de-DE", "Dauer: 2.30 h lang", "Dauer: 2.30 Stunden lang"),
        .init("de-DE", asWritten: "Die 112 an Bord befindlichen Menschen lebten."),
        .init("de-DE", asWritten: "Siehe 2.3. bis 2.5. unten."),
        .init("de-DE", asWritten: "Nach § 1 Satz 2 und § 1 Programm gilt es."),
        .init("de-DE", asWritten: "Die Übungen 3.2. bis 3.4. sind schwer."),
        .init("es-ES", asWritten: "¿Vienes? No. 3 días son muchos."),
        .init("et", asWritten: "See kell on 7.05 eurot."),
        .init("en-US", "a 100s timer ran for 9.58s", "a 100 seconds timer ran for 9.58 seconds"),
        .init("en-US", "Rev. 21:4 and Mme. Defarge", "Revelation 21:4 and Madame Defarge"),
        .init(
            "de-DE",
            "Die Jahre 1914/18 und das Aktenzeichen 1612/68",
            "Die Jahre neunzehnhundertvierzehn bis 18 und das Aktenzeichen 1612/68"
        ),
        .init(
            "de-DE",
            "Er wohnt im 2. OG, 3. OG links.",
            "Er wohnt im zweiten Obergeschoss, drittes Obergeschoss links."
        ),
        .init("fr-FR", "MM. les députés et S. M. la reine", "Messieurs les députés et Sa Majesté la reine"),
        .init("es-ES", "S.A.R. la princesa y P. D.: adiós", "Su Alteza Real la princesa y posdata: adiós"),
        .init(
            "et",
            "XXI saj ja Riigikogu XIV koosseis, 1 sl õli",
            "kahekümne esimene sajand ja Riigikogu neljateistkümnes koosseis, 1 supilusikatäis õli"
        ),
    ]

    @Test("have kinds, books, floors and forms of address", arguments: others)
    func readsOthers(_ row: TextOfBooksTests.Row) { check(row) }
}
