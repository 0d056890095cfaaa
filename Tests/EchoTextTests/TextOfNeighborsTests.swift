import EchoText
import Testing

/// The kinds of the tables of books in other words, numbers and languages.
@Suite("Text in other words")
struct TextOfNeighborsTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let numerals: [TextOfBooksTests.Row] = [
        .init("en-US", "III", "three"),
        .init("en-US", asWritten: "MIX"),
        .init("en-US", asWritten: "In the book I read, the part I like and the class I teach."),
        .init("en-US", asWritten: "the war I fought, the chapter I am in, the level I reached"),
        .init("en-US", "see chapter I of it; part I ends", "see chapter one of it; part one ends"),
        .init("en-US", "a type I error and phase I trials", "a type one error and phase one trials"),
        .init("en-US", "after world war I was over", "after world war one was over"),
        .init("en-US", "In Part I we saw it.", "In Part one we saw it."),
        .init("en-US", asWritten: "The unit I rent is small; in the appendix I list all names."),
        .init("en-US", "a phase I study", "a phase one study"),
        .init("en-US", asWritten: "Wars I have known and books I read"),
        .init("en-US", "Books I and II; World Wars I and II", "Books one and two; World Wars one and two"),
        .init("en-US", "The Saturn V flew.", "The Saturn five flew."),
        .init("en-US", asWritten: "Malcolm X spoke. On Saturn I would float."),
        .init("fr-FR", "l'an II et l’an I", "l'an deux et l'an un"),
        .init("de-DE", "Das war Teil I. Teil II folgt.", "Das war Teil eins. Teil zwei folgt."),
        .init("et", "Karl XII armee jõudis kohale.", "Karl kaheteistkümnenda armee jõudis kohale."),
        .init("et", "Karl XII osa oli suur.", "Karl kaheteistkümnenda osa oli suur."),
        .init("et", "Nikolai II ajal, Peeter I poeg", "Nikolai teise ajal, Peeter esimese poeg"),
        .init("et", "Karl XII suri.", "Karl kaheteistkümnes suri."),
        .init("fr-FR", "Le règne d'Henri IV.", "Le règne d'Henri quatre."),
        .init("fr-FR", "l’œuvre d’Élisabeth II et d’Alexandre Ier", "l'œuvre d'Élisabeth deux et d'Alexandre premier"),
        .init("fr-FR", "C'est l'Acte III qu'Edmond II joue.", "C'est l'Acte trois qu'Edmond deux joue."),
        .init("fr-FR", asWritten: "Aujourd'hui CD et qu'il y a."),
        .init("de-DE", "Der Tod Karls V. war ein Ende.", "Der Tod Karls des fünften war ein Ende."),
        .init("de-DE", "Kaiser Wilhelms II. Flotte", "Kaiser Wilhelms des zweiten Flotte"),
        .init("de-DE", "Es war der Tod Karls V. Danach kam er.", "Es war der Tod Karls des fünften. Danach kam er."),
        .init("de-DE", "Die Mutter Ottos I. starb.", "Die Mutter Ottos des ersten starb."),
        .init("et", "V peatükk, III osa", "viies peatükk, kolmas osa"),
        .init("et", "2. kongressil ja XV laulupeol", "teisel kongressil ja viieteistkümnendal laulupeol"),
    ]

    @Test("has numerals by themselves, behind elided words and in the genitive", arguments: numerals)
    func readsNumerals(_ row: TextOfBooksTests.Row) { check(row) }

    static let months: [TextOfBooksTests.Row] = [
        .init("de-DE", "Seit Sept. 1998 in Bonn", "Seit September neunzehnhundertachtundneunzig in Bonn"),
        .init("de-DE", "am 2. Okt. 2019", "am zweiten Oktober 2019"),
        .init("fr-FR", "nov. 1950 et avr. 2001", "novembre 1950 et avril 2001"),
        .init("es-ES", "en oct. 1998 y dic. de 2020", "en octubre 1998 y diciembre de 2020"),
        .init("et", "Veebr. 2021 ja sept. 2022", "veebruar 2021 ja september 2022"),
        .init("fr-FR", "du 12/05 au 14/05", "du douze mai au quatorze mai"),
        .init("es-ES", "del 12/05 al 14/05", "del doce de mayo al catorce de mayo"),
        .init("fr-FR", "du 12/05 et du 13/05", "du douze mai et du treize mai"),
        .init("de-DE", asWritten: "Sie kam im Mai. Dann ging sie."),
    ]

    @Test("has months that are cut short before their years", arguments: months)
    func readsMonths(_ row: TextOfBooksTests.Row) { check(row) }

    static let amounts: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "1.234,56 EUR and €2.000,50",
            "one thousand two hundred thirty-four euros and fifty-six cents and two thousand euros and fifty cents"
        ),
        .init("de-DE", "1,234.50 $", "tausendzweihundertvierunddreißig Dollar fünfzig"),
        .init("en-US", "Denver, CO 80202-1234.", "Denver, CO eight zero two zero two, one two three four."),
        .init("en-US", "No. of items in World Wars I and II", "number of items in World Wars one and two"),
        .init("fr-FR", "Il a gagné 2 000 000 €.", "Il a gagné deux millions d'euros."),
        .init("fr-FR", "1000000 € et 1 500 000 €", "1000000 d'euros et un million cinq cent mille euros"),
        .init("fr-FR", "à 1 000 000 km", "à un million de kilomètres"),
        .init("fr-FR", "soit 30 k€/an", "soit trente mille euros par an"),
        .init("es-ES", "Cuesta 1 000 000 €.", "Cuesta un millón de euros."),
        .init("es-ES", "5 US$ y 2,50 US$, año XV", "5 dólares y dos dólares con cincuenta centavos, año quince"),
        .init("es-ES", "2.000.000 $", "dos millones de dólares"),
        .init("es-ES", "1/2 hora y 1/2 kg", "media hora y medio kilogramo"),
        .init("fr-FR", "1/2 heure et 1/2 l", "une demi heure et un demi litre"),
        .init("de-DE", "1/2 Stunde, ½ kg, 1/2 l", "eine halbe Stunde, ein halbes Kilogramm, ein halber Liter"),
        .init("en-US", "10⁻⁹ m and 10⁶ in all", "10 to the power of minus 9 metres and 10 to the power of 6 in all"),
        .init("en-US", "10 yds, 3 ozs", "10 yards, 3 ounces"),
        .init("en-US", "20 cm x 30 cm", "20 centimetres by 30 centimetres"),
        .init("es-ES", "20 cm x 30 cm", "20 centímetros por 30 centímetros"),
        .init("de-DE", "5 km³", "5 Kubikkilometer"),
        .init("en-US", "a room of 3 x 4 m", "a room of 3 by 4 metres"),
        .init("en-US", asWritten: "3 x 4 is 12"),
        .init("en-US", "1 ½ cups", "1 and one half cups"),
        .init("fr-FR", "1 ½ tasse et 1/2 des élèves", "une et demie tasse et la moitié des élèves"),
        .init("es-ES", "½ limón y 1/2 de leche", "medio limón y un medio de leche"),
        .init("de-DE", "Man nehme 1/2 Liter Milch.", "Man nehme einen halben Liter Milch."),
        .init("de-DE", "nach 1/2 Tag und vor 1/2 Stunde", "nach einem halben Tag und vor einer halben Stunde"),
        .init("de-DE", "die 1/2 Birne, ½ Zitrone, um 1/2 8", "die halbe Birne, eine halbe Zitrone, um halb 8"),
        .init("de-DE", "Ein 1/2 Pfund, für 1/2 Euro", "Ein halbes Pfund, für einen halben Euro"),
        .init("fr-FR", "1 000 000 personnes", "un million de personnes"),
        .init("fr-FR", "2 000 000 étoiles", "deux millions d'étoiles"),
        .init("fr-FR", "1 000 000 sans lui", "un million sans lui"),
        .init("es-ES", "3 000 000 personas", "tres millones de personas"),
        .init("et", "1/2 kl piima, 5 kl vett", "pool klaasi piima, 5 klaasi vett"),
        .init("et", "5. mail 2026 kl 9, avatud 24 kl 8", "viiendal mail 2026 kell 9, avatud 24 kell 8"),
        .init("et", "5. kl õpilane", "viies klass õpilane"),
        .init("et", "min 3 muna ja max 5 õuna", "minimaalselt 3 muna ja maksimaalselt 5 õuna"),
        .init("et", "5 min 3 s", "5 minutit 3 sekundit"),
        .init("et", "2 km kaugusel, 10% võrra", "kahe kilomeetri kaugusel, kümne protsendi võrra"),
    ]

    @Test("has millions, halves and measures that agree", arguments: amounts)
    func saysAmounts(_ row: TextOfBooksTests.Row) { check(row) }

    static let dashes: [TextOfBooksTests.Row] = [
        .init("en-US", "The boat--old but sound--is ready.", "The boat — old but sound — is ready."),
        .init("en-US", "Here -- or there --- it is.", "Here — or there — it is."),
        .init("en-US", "“No,”--she said-- “never!”", "“No,” — she said — “never!”"),
        .init("de-DE", "Das Boot---alt---ist da.", "Das Boot — alt — ist da."),
        .init("ru", "Лодка -- старая.", "Лодка — старая."),
        .init("en-US", asWritten: "Type ls --all, then i--, and 3--4."),
        .init("en-US", asWritten: "-- Ann"),
    ]

    @Test("pauses at the dashes of typewriters", arguments: dashes)
    func readsDashes(_ row: TextOfBooksTests.Row) { check(row) }

    static let signs: [TextOfBooksTests.Row] = [
        .init("de-DE", "§§ 7–9", "Paragrafen 7 bis 9"),
        .init(
            "de-DE",
            "Sa 9–13 Uhr, Di 8 Uhr, So 10:00–12:00 Uhr",
            "Samstag 9 bis 13 Uhr, Dienstag 8 Uhr, Sonntag zehn Uhr bis zwölf Uhr"
        ),
        .init("de-DE", asWritten: "So 5 Uhr war es."),
        .init(
            "de-DE",
            "Die o. g. Personen und der u. g. Ort",
            "Die oben genannten Personen und der unten genannte Ort"
        ),
        .init("de-DE", "Anna Huber, geb. Maier", "Anna Huber, geborene Maier"),
        .init(
            "de-DE",
            "geb. 1920, geb. Mai 1950, geb. in Wien",
            "geboren neunzehnhundertzwanzig, geboren Mai neunzehnhundertfünfzig, geboren in Wien"
        ),
        .init("fr-FR", "Me Durand a plaidé.", "Maître Durand a plaidé."),
        .init("fr-FR", asWritten: "Me voici. ME VOICI."),
        .init("en-US", "No. of items? No. of course not.", "number of items? No. of course not."),
        .init("fr-FR", "les §§ 5 et 6", "les paragraphes 5 et 6"),
        .init("de-DE", "Sie verloren 2-4.", "Sie verloren 2 zu 4."),
        .init("de-DE", "Sie spielten 2-3 Stunden.", "Sie spielten 2 bis 3 Stunden."),
        .init("es-ES", "a la 1:00 y a las 8:00 a. m.", "a la una y a las ocho A M."),
        .init("de-DE", "Fam. Lang, Kl. 5, 2 Mill. Menschen", "Familie Lang, Klasse 5, 2 Millionen Menschen"),
        .init("de-DE", "der 2. Band der 3. Aufl.", "der zweite Band der dritten Auflage."),
        .init("es-ES", "viven 300 mill. de personas", "viven 300 millones de personas"),
        .init("de-DE", "Es endete 2:1 n. V.", "Es endete 2 zu 1 nach Verlängerung."),
        .init("fr-FR", "pl. d'Italie, av. de l'Opéra, ch. 3", "place d'Italie, avenue de l'Opéra, chapitre 3"),
        .init("fr-FR", "une voiture de 110 ch. Il roule.", "une voiture de 110 chevaux. Il roule."),
        .init("fr-FR", "1 amie et 21 erreurs", "une amie et vingt et une erreurs"),
        .init("fr-FR", "la 2de classe", "la seconde classe"),
        .init("es-ES", "pp. 5-9", "páginas 5 a 9"),
        .init("de-DE", "Brot, Milch u. a. m. kaufen", "Brot, Milch und anderes mehr kaufen"),
        .init("es-ES", "los ss. XVI y XVII", "los siglos dieciséis y diecisiete"),
        .init("es-ES", "CC. OO. y fol. 3", "Comisiones Obreras y folio 3"),
    ]

    @Test("has signs, scores, times and abbreviations", arguments: signs)
    func readsSigns(_ row: TextOfBooksTests.Row) { check(row) }

    static let heldOut: [TextOfBooksTests.Row] = [
        .init("de-DE", "Nach 1 Jahr und 1 Minute kam 1 Kind.", "Nach einem Jahr und einer Minute kam ein Kind."),
        .init("de-DE", "vor 3 Tagen und 1 Nacht", "vor 3 Tagen und einer Nacht"),
        .init("de-DE", "Das Kind kam um 5 Uhr und 1 Frau half.", "Das Kind kam um 5 Uhr und eine Frau half."),
        .init(
            "de-DE",
            "Seit 5 Tagen regnet es und 1 Straße ist weg.",
            "Seit 5 Tagen regnet es und eine Straße ist weg."
        ),
        .init("de-DE", "Mit 1 Hund und 1 Katze kam er.", "Mit einem Hund und einer Katze kam er."),
        .init("de-DE", "Mit 18 Jahren, 1 Jahr nach dem Abitur", "Mit 18 Jahren, ein Jahr nach dem Abitur"),
        .init("de-DE", "Lt. Vertrag zahlt er, Lt. § 5 auch.", "laut Vertrag zahlt er, laut § 5 auch."),
        .init("de-DE", asWritten: "Lt. Meier und Lt. Weber kamen."),
        .init("de-DE", "3 % p. a. Zinsen für P. A. Meier", "3 % pro Jahr Zinsen für P A Meier"),
        .init("fr-FR", "les 2nds rôles et les 2ndes chances", "les seconds rôles et les secondes chances"),
        .init("fr-FR", "à 15nds, puis 2 nds", "à 15 nœuds, puis 2 nœuds"),
        .init("fr-FR", asWritten: "L'Inde, la Cie des Indes et Inde."),
        .init(
            "en-GB",
            "The flat is £950 pcm or £220 pw.",
            "The flat is nine hundred fifty pounds per calendar month or two hundred twenty pounds per week."
        ),
        .init("en-GB", asWritten: "a pcm file and pw fields"),
        .init("en-GB", "It grows at 6% p.a. here.", "It grows at 6% per annum here."),
        .init("en-GB", "She is a P.A. here.", "She is a P A here."),
        .init("en-US", "Brown & Co. makes soap.", "Brown & Company makes soap."),
        .init("en-US", "Acme Co. Ltd. paid.", "Acme Company Limited paid."),
        .init("en-US", asWritten: "salt & co. too"),
        .init(
            "en-US",
            "a 12 oz. can, an 8 ft. wall and a 6 in. nail",
            "a 12 ounce can, an 8 foot wall and a 6 inch nail"
        ),
        .init("en-US", "add 12 oz. of salt to a 10 km. or so", "add 12 ounces of salt to a 10 kilometres or so"),
        .init("en-US", "The 1848 revolutions had 1848 men.", "The eighteen forty-eight revolutions had 1848 men."),
        .init("en-US", "Stanza XL is long; size XL is large.", "Stanza forty is long; size XL is large."),
    ]

    @Test("reads inputs that were held back", arguments: heldOut)
    func readsHeldOut(_ row: TextOfBooksTests.Row) { check(row) }

    // MARK: What stands around it

    static let contexts: [TextOfBooksTests.Row] = [
        .init("de-DE", "Während der 2. Teil gut ist", "Während der zweite Teil gut ist"),
        .init("de-DE", "Während der 1. Mai ein Feiertag ist", "Während der erste Mai ein Feiertag ist"),
        .init("de-DE", "Während der 2. Weltkrieg tobte", "Während der zweite Weltkrieg tobte"),
        .init("de-DE", "Während der 3. Band erscheint", "Während der dritte Band erscheint"),
        .init("de-DE", "Die Zimmer Nr. 20-145 sind frei.", "Die Zimmer Nummer 20 bis 145 sind frei."),
        .init("de-DE", "die Nummer 50-100 Euro", "die Nummer 50 bis 100 Euro"),
        .init("et", "Piletid nr 10-150 on müüdud.", "Piletid number 10 kuni 150 on müüdud."),
        .init("et", "toad nr 10-150", "toad number 10 kuni 150"),
        .init("de-DE", "Verhältnis: 1:20", "Verhältnis: 1 zu 20"),
        .init("de-DE", "1:10 verdünnt", "1 zu 10 verdünnt"),
        .init("en-US", "Scale: 1:20", "Scale: 1 to 20"),
        .init("en-US", asWritten: "Petrol tomorrow at 1.45 and up."),
        .init("en-US", asWritten: "The bond left at 4.25 in May."),
        .init("en-US", asWritten: "The curves met at 3.14."),
        .init("en-US", asWritten: "the bus at 2.50 and up"),
        .init("en-US", asWritten: "Dial 112 people and ring 999 bells."),
        .init("de-DE", asWritten: "Zimmer 3/Nacht"),
        .init("en-US", asWritten: "chapter 5/day 3"),
        .init("es-ES", asWritten: "El canal es la 1."),
        .init("es-ES", "Quedamos a la 1 o a las 2.", "Quedamos a la una o a las 2."),
        .init("en-US", asWritten: "Invoice 2021/22 and Flat 1919/20"),
        .init("de-DE", "Rechnung Nr. 2021/22", "Rechnung Nummer 2021/22"),
        .init("en-US", "## IV", " four"),
        .init("en-GB", asWritten: "20 pw and 3 pcm"),
        .init("fr-FR", "80 k€ et 200 k€", "quatre-vingt mille euros et deux cent mille euros"),
        .init("fr-FR", "1 k€ par an", "mille euros par an"),
        .init("en-US", "It takes 20s to open and 40s to shut.", "It takes 20 seconds to open and 40 seconds to shut."),
    ]

    @Test("heeds nouns, units and verbs around numbers", arguments: contexts)
    func readsContexts(_ row: TextOfBooksTests.Row) { check(row) }

    static let otherContexts: [TextOfBooksTests.Row] = [
        .init("de-DE", "während der 1. Halbzeit, vor der 2. Band", "während der ersten Halbzeit, vor der zweiten Band"),
        .init("de-DE", "Er las 1 Satz und hat 1 Teil.", "Er las ein Satz und hat ein Teil."),
        .init(
            "de-DE",
            "die Rechnung Nr. 40-1180, Nummer 50-100",
            "die Rechnung Nummer 40-1180, Nummer 50-100"
        ),
        .init("et", "arve nr 40-118", "arve number 40-118"),
        .init("de-DE", "Um 1:10 verdünnt er es.", "Um ein Uhr zehn verdünnt er es."),
        .init("de-DE", "Ankunft: 1:20", "Ankunft: ein Uhr zwanzig"),
        .init(
            "en-US",
            "They left at 4.25 in May. Dinner tomorrow at 7.30.",
            "They left at four twenty-five in May. Dinner tomorrow at seven thirty."
        ),
        .init(
            "en-US",
            "The bus at 7.50 and the train at 9.10",
            "The bus at seven fifty and the train at nine ten"
        ),
        .init(
            "en-US",
            "Dial 112 now, or call 911 as soon as you can.",
            "Dial one one two now, or call nine one one as soon as you can."
        ),
        .init("en-US", "2 tablets 3/day", "2 tablets 3 per day"),
        .init(
            "es-ES",
            "Es la 1. Ya es la 1. Ahora es la 1 de la tarde.",
            "Es la una. Ya es la una. Ahora es la una de la tarde."
        ),
        .init("es-ES", asWritten: "a la 1 y a la 2"),
        .init(
            "en-US",
            "season 2021/22, in 1919/20",
            "season twenty twenty-one twenty-two, in nineteen nineteen twenty"
        ),
        .init("en-US", "## Chapter IV", " Chapter four"),
        .init("en-US", "#IV and an IV", "hashtag IV and an IV"),
        .init("en-GB", "GBP 220 pw", "two hundred twenty British pounds per week"),
        .init("fr-FR", "1,5 k€, 80 M€", "un virgule cinq mille euros, quatre-vingts millions d'euros"),
        .init("en-US", "music of the 60s and 70s to hear", "music of the sixties and seventies to hear"),
    ]

    @Test("keeps the usual readings in other contexts", arguments: otherContexts)
    func readsOtherContexts(_ row: TextOfBooksTests.Row) { check(row) }

    static let ordinaryText: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "Judge Roy Dunn, Jr., spoke to Sam Lee, Sr. and Ann.",
            "Judge Roy Dunn, Junior, spoke to Sam Lee, Senior and Ann."
        ),
        .init("de-DE", "Die Schrauben (M6 x 20) anziehen.", "Die Schrauben (M6 mal 20) anziehen."),
        .init("de-DE", asWritten: "der M6 x und AM6 x 20"),
        .init("es-ES", "la disp. adicional 2.ª", "la disposición adicional segunda"),
        .init("es-ES", asWritten: "No hay disp. Ven mañana."),
        .init("et", "Ta jooksis ajaga 41.20.", "Ta jooksis ajaga 41 20."),
        .init("et", asWritten: "hinnaga 41.20"),
        .init("et", "Hind oli nov. 3,1% ja dets. 2,8%.", "Hind oli novembris 3,1% ja detsembris 2,8%."),
        .init("et", "3. nov. 2025", "kolmas november 2025"),
    ]

    @Test("reads ordinary sentences that were held back", arguments: ordinaryText)
    func readsOrdinaryText(_ row: TextOfBooksTests.Row) { check(row) }

    static let runningProse: [TextOfBooksTests.Row] = [
        .init("en-US", "We changed at Reading for the 8.15.", "We changed at Reading for the eight fifteen."),
        .init(
            "en-US",
            "She caught the 9.40, and the 10.05 bus was late.",
            "She caught the nine forty, and the ten oh five bus was late."
        ),
        .init("en-US", asWritten: "She paid for the 8.15, and the 3.10 release notes are out."),
        .init(
            "en-US",
            "the 3rd Inf. Div. and the Airborne Div. in pp. 88 ff.",
            "the 3rd Infantry Division and the Airborne Division in pages 88 and following."
        ),
        .init(
            "en-US",
            "your letter of 6/12, an order of 2/3 majority",
            "your letter of June twelfth, an order of two thirds majority"
        ),
        .init(
            "en-US",
            "the ¼-in. drive, a 3/16-in. bit and a ½-in. hole",
            "the one quarter-inch drive, a three sixteenths-inch bit and a half-inch hole"
        ),
        .init(
            "en-US",
            "Salem, OR 97301, or try IN 97301 cases.",
            "Salem, Oregon nine seven three zero one, or try IN nine seven three zero one cases."
        ),
        .init("en-US", "gusts of 40 mph out of the NNW", "gusts of 40 miles per hour out of the north-northwest"),
        .init("en-US", asWritten: "He went out of the ESE group, a member of the SSE."),
        .init(
            "en-US",
            "Mrs. Pratt's no. was 555-0134. My answer is no. Then he left.",
            "Missus Pratt's number was five five five, zero one three four. My answer is no. Then he left."
        ),
        .init("en-US", asWritten: "It's no. He's no. Pratt's answer was no."),
        .init(
            "de-DE",
            "Im 2. Kap. und im 3. Bd. beschreibt der Verf. die Küche.",
            "Im zweiten Kapitel und im dritten Band beschreibt der Verfasser die Küche."
        ),
        .init("de-DE", asWritten: "Er steht am Kap. Dann ging er."),
        .init(
            "de-DE",
            "in der 90.+2 Minute, in der 45.+1. Minute (90.+2)",
            "in der neunzigsten plus zweiten Minute, in der fünfundvierzigsten plus ersten Minute (neunzigste plus zwei)"
        ),
        .init("de-DE", "Sie kam mit 21 J. u. 1 Koffer.", "Sie kam mit 21 Jahren und einem Koffer."),
        .init(
            "de-DE",
            "Das Dorf (1.240 Ew.) liegt 350 m ü. NN am Nordufer d. Sees.",
            "Das Dorf (1.240 Einwohner) liegt 350 Meter über Normalnull am Nordufer des Sees."
        ),
        .init(
            "de-DE",
            "das Haus d. Bürgers, die Zahl d. Teilnehmer, am 12. d. M., Plinius d. Ä.",
            "das Haus des Bürgers, die Zahl der Teilnehmer, am zwölften dieses Monats, Plinius der Ältere."
        ),
        .init(
            "de-DE",
            "Abfahrt 6.12, 6.42 u. 7.12 Uhr, Sa nur 8.30 Uhr.",
            "Abfahrt sechs Uhr zwölf, sechs Uhr zweiundvierzig und sieben Uhr zwölf, Samstag nur acht Uhr dreißig."
        ),
        .init(
            "de-DE",
            "Am 5.10 und 8.30 Uhr; er zahlte 3.50, 4.20 und 5.10.",
            "Am 5.10 und acht Uhr dreißig; er zahlte 3.50, 4.20 und 5.10."
        ),
        .init("de-DE", "Böen aus WNW; der Kurs der SSO GmbH", "Böen aus Westnordwest; der Kurs der SSO GmbH"),
        .init(
            "fr-FR",
            "âgés resp. de 71 et 80 ans, mais le resp. des ventes",
            "âgés respectivement de 71 et 80 ans, mais le resp. des ventes"
        ),
        .init(
            "fr-FR",
            "31 cuisines, 21 stades, 21 magazines ; le groupe 1 termine.",
            "trente et une cuisines, 21 stades, 21 magazines ; le groupe 1 termine."
        ),
        .init(
            "fr-FR",
            "la 3e div. blindée et le 5e rég. d'infanterie, ibid., par ordre asc. ici",
            "la troisième division blindée et le cinquième régiment d'infanterie, ibidem, par ordre asc. ici"
        ),
        .init(
            "fr-FR",
            "Appartement, 3 p., 65 m², sans asc., mais le livre a 3 p. de notes.",
            "Appartement, 3 pièces, 65 mètres carrés, sans ascenseur, mais le livre a 3 pages de notes."
        ),
        .init(
            "fr-FR",
            "à 9 N.m, un vent d'O.-N.-O., rafales d'ESE ; l'OSO de Paris",
            "à 9 newtons mètres, un vent d'ouest-nord-ouest, rafales d'est-sud-est ; l'OSO de Paris"
        ),
        .init(
            "fr-FR",
            "(v. Hugo 1862), Dupont (82'), mais un film (82')",
            "(voir Hugo 1862), Dupont (quatre-vingt-deuxième minute), mais un film (82')"
        ),
        .init(
            "es-ES",
            "dejar reposar 1/4 de h. y 3/4 de kg de arroz; talla 2 de m.",
            "dejar reposar un cuarto de hora y tres cuartos de kilogramo de arroz; talla 2 de m."
        ),
        .init(
            "es-ES",
            "goles de Joaquín (min 12) y Borja (89'); Volver (121')",
            "goles de Joaquín (minuto 12) y Borja (minuto 89); Volver (121')"
        ),
        .init(
            "es-ES",
            "piso c/ asc., s/ garaje, c/ mayor 5, en orden asc. y desc.",
            "piso con ascensor, sin garaje, c/ mayor 5, en orden asc. y desc."
        ),
        .init("es-ES", "(v. Gómez 1999) y Barcelona v. Madrid", "(véase Gómez 1999) y Barcelona v. Madrid"),
        .init("es-ES", "rachas del NNO; la OSO de Madrid", "rachas del nornoroeste; la OSO de Madrid"),
        .init(
            "et",
            "2. värava lõi Sappinen 78. min. Ta oli rõõmus.",
            "teise värava lõi Sappinen seitsmekümne kaheksandal minutil. Ta oli rõõmus."
        ),
        .init(
            "et",
            "Tuul puhus NW-st, SW tuul 5 m/s, E tuulik.",
            "Tuul puhus loodest, edela tuul 5 meetrit sekundis, E tuulik."
        ),
        .init(
            "et",
            "Saalis oli kohal u 300 in. Laud on 120 in lai.",
            "Saalis oli kohal umbes 300 inimest. Laud on 120 tolli lai."
        ),
        .init(
            "et",
            "45-min jalutuskäigu kaugusel, 5-km jooks",
            "neljakümneviieminutilise jalutuskäigu kaugusel, viiekilomeetriline jooks"
        ),
        .init(
            "et",
            "Hr Kask, sünd 5.03.1931",
            "härra Kask, sündinud viiendal märtsil tuhat üheksasada kolmkümmend üks"
        ),
    ]

    @Test("reads running prose as news, novels, manuals and recipes have it", arguments: runningProse)
    func readsRunningProse(_ row: TextOfBooksTests.Row) { check(row) }
}
