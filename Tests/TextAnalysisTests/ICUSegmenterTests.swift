import EchoText
import EchoTextTesting
import Testing
import TextAnalysis

@Suite("ICU segmenter", .endsInTime)
struct ICUSegmenterTests {
    private let segmenter = ICUSegmenter()

    @Test("keeps the contract in every script", arguments: scriptSamples)
    func contract(_ sample: (language: String, text: String)) {
        verifyContract(of: segmenter, text: sample.text, language: sample.language)
        verifyContract(of: segmenter, text: sample.text + "\n\n" + sample.text, language: sample.language)
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let language: String
        let sentences: [String]
        var testDescription: String { "\(language): \(sentences.joined(separator: "|"))" }

        init(_ language: String, _ sentences: String...) {
            self.language = language
            self.sentences = sentences
        }
    }

    static let examples: [Example] = [
        .init("en", "Mr. Jones came. ", "He sat down."),
        .init("en", "Dr. Smith is in. ", "Prof. Lee is not."),
        .init("en", "“Really?” she asked. ", "He nodded."),
        .init("en", "I read J. R. R. Tolkien. ", "So do you."),
        .init("en", "It is so, e.g. Here and there."),
        .init("en", "See Fig. 3 and Vol. 2. ", "They help."),
        .init("en", "Ver. 2.0 is here, see bk. II. ", "It is new."),
        .init("en", "It opens at 5 p.m. Mon–Fri. ", "Come in."),
        .init("en", "He lives at No. 7 Park St. now. ", "See p. 12 of it."),
        .init("en", "Is it so? ", "No. ", "It is not."),
        .init("en", "It cost 3.50 dollars. ", "Too much!"),
        .init("en", "So did I. ", "Then we went."),
        .init("en", "Stop! ", "Who goes there? ", "A friend."),
        .init("en", "no stop at the end"),
        .init("fr", "Paru dans la coll. « Folio » en 2008. ", "Il plaît."),
        .init("fr", "Il a vendu la coll. ", "Elle était belle."),
        .init("fr", "C'est l'art. L. 110-1. ", "Il est clair."),
        .init("es", "Sras. Díaz y Dres. Gil. ", "Nadie más."),
        .init("es", "Vive en la esc. B, piso 3. ", "Es feliz."),
        .init("es", "Llamó a Hnos. García ayer. ", "Nadie contestó."),
        .init("es", "Fundó García Hnos. ", "El negocio creció."),
        .init("es", "Es así (cf. Pérez 2010). ", "Nadie lo duda."),
        .init("es", "Calló. ", "—¿Vienes? ", "—Sí. ", "—Luis sonrió."),
        .init("es", "Llovía —¡por fin!— y salió. ", "Era tarde."),
        .init("es", "Vino el Sr. —Pérez— ayer."),
        .init("es", "—Vamos —dijo. ", "Y salió."),
        .init("es", "Tome 2 durante 7 d. ", "Luego pare."),
        .init("es", "En 1936 d. Luis calló. ", "Nadie habló."),
        .init("es", "En el 79 d. C. hubo guerras. ", "Nadie huyó."),
        .init("es", "Vinieron D. Luis y la Lcda. T. Soto. ", "Nadie más."),
        .init("et", "Ta tuli 21. novembril. ", "Me ootasime."),
        .init("et", "Tule kell 14.30. ", "Ootan sind."),
        .init("et", "Dr. Tamm ja prof. Kask tulid. ", "Kõik olid kohal."),
        .init("de", "Am 3. Mai regnet es. ", "Dann nicht mehr."),
        .init("de", "Nimm 3 Eier (Gr. M) dazu. ", "Rühre um."),
        .init("de", "Die Führung ist jeden 1. So. im Monat. ", "Komm mit."),
        .init("de", "Er kam als 1. ", "So war es."),
        .init("de", "Ich zahle jeden 1. ", "So ist es gut."),
        .init("de", "Heute von Gleis 11 a. ", "Der Zug ist voll."),
        .init("de", "Ich traf Fr. Bitte am Zug."),
        .init("de", "Er fährt nur Mo–Fr. ", "Bitte beachten."),
        .init("de", "Offen Mo–Fr. 8–17 Uhr. ", "Bitte klingeln."),
        .init("de", "Nimm 20 Tr. Baldrian. ", "Schlaf dann."),
        .init("de", "Es betrifft die Hausnrn. 8–20. ", "Danke."),
        .init("de", "Er wohnt in Zi. 204 oben. ", "Geh hin."),
        .init("de", "Der Hof liegt 640 m ü. NN. ", "Die Stadt hat 4 200 Ew. ", "Der Verf. Kühn sah sie."),
        .init("de", "Siehe Abschn. 4 des Buches. ", "Er ist kurz."),
        .init("en", "The 7th Armd. Div. attacked at dawn. ", "The 2nd Inf. Div. ", "They rested."),
        .init("fr", "Le 2e rég. Royal et le 3e rég. ", "Ils dorment."),
        .init("de", "Nimm 2 Tabl. Aspirin. ", "Schlaf dann."),
        .init("fr", "Il vit au bât. C depuis le 3e trim. 2023. ", "Il est là."),
        .init("es", "Vive en el edif. C, hab. 204. ", "Es feliz."),
        .init("en", "Alea iacta est. ", "Then he crossed."),
        .init("en", "They won on agg. ", "Then they left."),
        .init("en", "The reunion is Sat. 14 June. ", "Come!"),
        .init("en", "They were two up (agg. 3–4), est. 1898. ", "He left."),
        .init("de", "Ruf Tel. +49 30 1234567 an. ", "Gut."),
        .init("de", "Für 2 Erw. + 1 Kind. ", "Gut."),
        .init("de", "Die Steuernr. 123 fehlt. ", "Gut."),
        .init("de", "Dreh fest (s. Abb. 3). ", "Gut."),
        .init("de", "Er lief nach 5 s. ", "Abb. 3 zeigt es."),
        .init("de", "RE 5: Abf. 8.47 Uhr, Ank. 9.10 Uhr. ", "Gut."),
        .init("de", "Erw. 8 €, Erm. 5 €, 45 € p. P. im Bus. ", "Gut."),
        .init("de", "Bring 2 Fl. Wein mit. ", "Sie hat eine Whg. ", "Er nicht."),
        .init("de", "Das Buch (3., überarb. Aufl.) ist da. ", "Gut."),
        .init("de", "Er kommt gg. Mittag. ", "Gut."),
        .init("de", "Am 1. und 2. Weihnachtstag ist zu. ", "Gut."),
        .init("de", "Er las den 1. und 2. ", "Dann schlief er."),
        .init("de", "Wg. Krankheit zu. ", "Er wohnt in einer WG. ", "Gut."),
        .init("en", "Three at £5 ea. = £15. ", "He paid it."),
        .init("de", "Dr. Müller kommt, z.B. Heute. ", "Gut."),
        .init("de", "Das ist z. B. Absicht. ", "Gut."),
        .init("es", "Vive en EE. UU. ", "Es feliz."),
        .init("fr", "M. Dupont arrive. ", "Il est tard."),
        .init("es", "El Sr. García llegó. ", "¿Qué tal?"),
        .init("ru", "Привет! ", "Как дела?"),
        .init("zh", "你好。", "今天好吗？", "很好。"),
        .init("ja", "元気ですか？", "はい。"),
        .init("hi", "नमस्ते। ", "आप कैसे हैं?"),
        .init("xx", "An unknown language. ", "It works."),
    ]

    /// Examples of what ends a sentence and what does not, by language.
    static let stops: [Example] = [
        .init(
            "en",
            "Dr. Adams and Mrs. Lee flew from St. Paul to the U.S. capital at 9 a.m. on Jan. 5. ",
            "Mr. Gray of the C.P.S. paid 0.7 per cent of the V.A.T. bill. ",
            "Bring e.g. a coat, a hat, etc. to No. 5 Elm St. before noon. ",
            "The answer is no. ",
            "Nobody came. ",
            "J. R. Hill, Ph.D., lives at 12 Oak Dr. ",
            "He likes tea vs. coffee."
        ),
        .init("en", "IT WAS US WHO MET IT IN THE U.S. ", "PLEASE STOP SHOUTING AT MR. GRAY."),
        .init("en", "We know Plan B. ", "Then Anna came."),
        .init("en", "Take Vitamin C. ", "Milk helps."),
        .init("en", "He fought in World War I. ", "Germany lost."),
        .init("en", "See St. Paul. ", "He left at 9 a.m. ", "Anna stayed."),
        .init("en", "The end came in Dec. ", "Then Jan. 5 followed."),
        .init("en", "They came etc. ", "Nobody saw."),
        .init(
            "de",
            "Am 3. Mai kam z. B. Dr. Roth mit ca. 20 Pers. nach St. Pölten. ",
            "Das war i. d. R. gut. ",
            "Wir schreiben bzgl. der Miete vom 1. d. M. und zur Nr. 5. ",
            "Ende."
        ),
        .init("de", "Er kam um 9 Uhr. ", "Dann ging er."),
        .init("de", "Im 19. Jahrhundert lebte er."),
        .init("de", "Am 2. Tag kam er."),
        .init("de", "Der 2. Weltkrieg."),
        .init("de", "Im 3. Kapitel steht es."),
        .init("de", "Die 5. Auflage ist da."),
        .init("de", "Am 21. Nov. kam er."),
        .init("de", "Das XIX. Jahrhundert endete."),
        .init("de", "Ludwig II. baute im XIX. Jahrhundert."),
        .init("de", "Zum 25. Mal siegte sie am 1. Advent."),
        .init("de", "Er wurde 19. ", "Dann ging er."),
        .init("de", "Das Treffen ist am 3. ", "Dann regnet es."),
        .init("de", "Elisabeth II. ", "Sie starb."),
        .init("de", "Sie kauften Äpfel, Birnen usw. ", "Karl ging."),
        .init("de", "Das ist z. B. der Hund. ", "Es war 44 v. Chr. ", "Dann kam er."),
        .init("de", "Das Kind nahm Vitamin C. ", "Milch half."),
        .init("es", "Se lee en el art. 4 de la ley. ", "Fin."),
        .init("es", "Ana y yo vimos el siglo XIX. ", "Fue así."),
        .init("fr", "Il vécut au Ier siècle av. J.-C. ", "Les Romains vinrent."),
        .init("fr", "M. Le Pen et Mme. Petit. ", "Elle rit."),
        .init("fr", "A. Le Roux est venu."),
        .init("et", "Õunad, pirnid jne. ", "Siis tuli ta."),
        .init("et", "See oli 1918. a. Eesti sündis."),
        .init("et", "XX. sajandil oli nii. ", "Kuningas Karl XII. ", "Ta suri."),
        .init("et", "Elab Pikk tn. 5. ", "Ta on siin."),
    ]

    @Test("knows the stops of abbreviations and ordinals from those of sentences", arguments: stops)
    func knowsStops(_ example: Example) {
        check(example)
    }

    /// Sentences that others' trackers report as cut; `Documentation/Corpora.md` names them.
    static let reported: [Example] = [
        .init("de", "Jonas ist Fan vom 1. FC Köln, und du? ", "Meine Eltern haben 6 Kinder."),
        .init("de", "Dies ist nun der 17. Versuch. ", "Friedrich II. war der Sohn von Heinrich VI"),
        .init("de", "Der 2. Weltkrieg begann am 1. September 1939."),
        .init("de", "Heiligabend ist am 24., Weihnachten am 25. und Stephanstag am 26. Dezember."),
        .init("de", "Am 6. Dezember ist St. Nikolaustag."),
        .init("de", "Jeder 7. Tag ist ein Mittwoch."),
        .init("de", "Der 1. Offizier ist direkt dem Kapitän unterstellt."),
        .init("de", "Sie spielen in der 1. Bundesliga."),
        .init("de", "Die Kosten betrugen etwa 5 Mio. Euro. ", "Das ist viel."),
        .init("en", "The meeting is at 9 a.m. Monday."),
        .init("en", "Trying to get back to Com. & Adm. through the path."),
        .init("en", "In texts like M. Johnsson and Ph. Smith and Th. Mann it holds. ", "Good."),
        .init("en", "Model wears size S. ", "Fits size."),
        .init("en", "See Ref. 8 and Fig. 3. ", "They help."),
        .init("en", "She has the ref. ", "He blew it."),
        .init("en", "He was a Ph.D.: that meant a lot. ", "She is an M.D.: an oncologist. ", "Please assist me."),
        .init("en", "It was the Ph.D.'s responsibility, and the F.D.R.'s for One Marine."),
        .init("en", "If David et al. get the financing, we can move. ", "Good."),
        .init("en", "Yan et al. [2004] analysed it. ", "Good."),
        .init("en", "Acme, Inc. is creating exciting products. ", "Use at your own risk."),
        .init("en", "The parties are Example Inc. (“Company A”), and Other Inc. (“Company B”)."),
        .init("en", "Read the booklet by D. Seyfort Ruegg and that of A. MacDonald on file. ", "Good."),
        .init("en", "Pausing... for... thought... should not split."),
        .init("de", "Wie geht es Dir. ", "Hast Du immer noch Sorgen?"),
        .init("de", "Bei Skt. Martin gilt nach § 5 i.V.m. Art. 2 auch Pkt. 3.2 davon. ", "Gut."),
        .init("de", "Wir feiern am 24.12. Weihnachten. ", "Dann ruhen wir."),
        .init("de", "Er wird am 2.5. 80 Jahre alt. ", "Gut."),
        .init("de", "Sie kam am 24.12. ", "Dann ging sie."),
        .init("de", "Kannst du am 7.10. (Mittwoch) um 15:00 mit Karl telefonieren?"),
        .init("fr", "Il est. ", "Ensuite il est parti."),
        .init("fr", "Si « cf. » désigne l'abréviation, il convient d'agir."),
        .init("fr", "85,7 cm (33 3/4 po) min. à 88,9 cm (35 po) max."),
        .init("es", "Yo vi un ave. ", "Lo has visto también?"),
        .init("es", "Vino el Lic. Pérez, la Ing. Ruiz, el Arq. Gil y la Srta. Ana. ", "Bien."),
        .init("es", "Vive en la Pl. Real con las FF. AA. hoy. ", "Son máx. 5, mín. 3 de ellos. ", "Bien."),
        .init("es", "El arte del s. XIX es así. ", "Bien."),
        .init("de", "Rufen Sie Tel. (030) 12 34 56 an. ", "Gut."),
        .init("fr", "Il naquit en 9 apr. J.-C. à Rome. ", "Bien."),
        .init("et", "Ta sündis 5. jaan. 2020 kodus. ", "Hea."),
        .init("en", "Card 12, exp. 08/27, is lost. ", "Good."),
        .init("de", "Die ev. Kirche ist alt, sein 2. Album gut. ", "Wir hören es."),
        .init("de", "Er schrieb eine 2. ", "Lisa auch."),
        .init("de", "Das zeigt, s. S. 3, Dr. med. Roth. ", "Nach 5 s. ", "Dann ging er."),
        .init("es", "La tarjeta, cad. 08/27, vale. ", "Bien."),
    ]

    @Test("joins what others' trackers report as cut", arguments: reported)
    func joinsReported(_ example: Example) {
        check(example)
    }

    /// Golden rules of Pragmatic Segmenter by their numbers; `Documentation/Corpora.md` has the licence and those left out.
    static let goldenRules: [Example] = [
        .init("en", "Hello World. ", "My name is Jonas."),  // 1
        .init("en", "What is your name? ", "My name is Jonas."),  // 2
        .init("en", "There it is! ", "I found it."),  // 3
        .init("en", "My name is Jonas E. Smith."),  // 4
        .init("en", "Please turn to p. 55."),  // 5
        .init("en", "Were Jane and co. at the party?"),  // 6
        .init("en", "They closed the deal with Pitt, Briggs & Co. at noon."),  // 7
        .init("en", "Let's ask Jane and co. ", "They should know."),  // 8
        .init("en", "They closed the deal with Pitt, Briggs & Co. ", "It closed yesterday."),  // 9
        .init("en", "I can see Mt. Fuji from here."),  // 10
        .init("en", "St. Michael's Church is on 5th st. near the light."),  // 11
        .init("en", "That is JFK Jr.'s book."),  // 12
        .init("en", "I visited the U.S.A. last year."),  // 13
        .init("en", "I live in the E.U. ", "How about you?"),  // 14
        .init("en", "I live in the U.S. ", "How about you?"),  // 15
        .init("en", "I work for the U.S. Government in Virginia."),  // 16
        .init("en", "I have lived in the U.S. for 20 years."),  // 17
        .init("en", "She has $100.00 in her bag."),  // 19
        .init("en", "She has $100.00. ", "It is in her bag."),  // 20
        .init(
            "en",
            "He teaches science (He previously worked for 5 years as an engineer.) at the local University."
        ),  // 21
        .init("en", "Her email is Jane.Doe@example.com. ", "I sent her an email."),  // 22
        .init(
            "en",
            "The site is: https://www.example.50.com/new-site/awesome_content.html. ",
            "Please check it out."
        ),  // 23
        .init("en", "She turned to him, 'This is great.' she said."),  // 24
        .init("en", "She turned to him, \"This is great.\" she said."),  // 25
        .init("en", "She turned to him, \"This is great.\" ", "She held the book out to show him."),  // 26
        .init("en", "Hello!! ", "Long time no see."),  // 27
        .init("en", "Hello?? ", "Who is there?"),  // 28
        .init("en", "Hello!? ", "Is that you?"),  // 29
        .init("en", "Hello?! ", "Is that you?"),  // 30
        .init("en", "She works at Yahoo! in the accounting department."),  // 44
        .init("en", "We make a good team, you and I. ", "Did you see Albert I. Jones yesterday?"),  // 45
        .init("en", "I never meant that.... ", "She left the store."),  // 49
        .init(
            "de",
            "„Ich habe heute keine Zeit“, sagte die Frau und flüsterte leise: „Und auch keine Lust.“ ",
            "Wir haben 1.000.000 Euro."
        ),  // German 1
        .init("de", "Was sind die Konsequenzen der Abstimmung vom 12. Juni?"),  // German 3
        .init("de", "Wir trafen Dr. med. Meyer in der Stadt."),
        .init("de", "Ich kann u.a. Spanisch sprechen."),
        .init("de", "Frau Prof. Schulze ist z. Z. nicht da."),
        .init("de", "Sie besucht eine kath. Schule."),
        .init("de", "Wir brauchen Getränke, z. B. Wasser, Saft, Bier usw."),
        .init("de", "Z. T. ist die Lieferung unvollständig."),
        .init("de", "Das steht auf S. 23, s. vorherige Anmerkung."),
        .init("de", "Wir benötigen Zeitungen, Zeitschriften u. Ä. für unser Projekt."),
        .init("de", "Dies ist meine Adresse: Dr. Meier, Berliner Str. 5, 21234 Bremen."),
        .init("es", "¿Cómo está hoy? ", "Espero que muy bien."),  // Spanish 1
        .init("es", "¡Hola señorita! ", "Espero que muy bien."),  // Spanish 2
        .init(
            "es",
            "Hola Srta. Ledesma. ",
            "Buenos días, soy el Lic. Naser Pastoriza, y él es mi padre, el Dr. Naser."
        ),  // Spanish 3
        .init(
            "es",
            "¡La casa cuesta $170.500.000,00! ",
            "¡Muy costosa! ",
            "Se prevé una disminución del 12.5% para el próximo año."
        ),  // Spanish 4
        .init("es", "Admón. es administración o me equivoco."),
        .init("es", "El corredor No. 103 arrivó 4°."),
        .init("fr", "Les derniers ouvrages de Intercept Ltd. sont ici."),
    ]

    @Test("keeps the golden rules that apply", arguments: goldenRules)
    func keepsGoldenRules(_ example: Example) {
        check(example)
    }

    /// Names with initials, numerals, letters that are no abbreviations, dates and associations, as anybody writes them.
    static let ordinary: [Example] = [
        .init("de", "Nimm 1 Pr. Salz dazu. ", "Rühre um."),
        .init("de", "Rd. 3 Mio. Menschen leben hier. ", "Gut."),
        .init("de", "Joh. Seb. Bach schrieb es. ", "Gut."),
        .init("de", "Das war Seb. ", "Dann gingen wir."),
        .init("es", "Según el apdo. 2 es así. ", "Es feliz."),
        .init("en", "A. D. Smith wrote it. ", "We read it."),
        .init("en", "She asked Rep. Will Hurd. ", "He did one more rep. ", "Then he spoke."),
        .init("en", "Todd C. Miller and Eric P. Allman wrote it. ", "We read it."),
        .init("en", "He met B. C. Jones. ", "They talked."),
        .init("en", "The call is at 3 p.m. EST tomorrow."),
        .init("en", "See Fig. A for details. ", "It helps."),
        .init("en", "Vol. II of the series is lost. ", "Vol. III is not."),
        .init("en", "See vol. I of the set."),
        .init("en", "Read Ch. IV and Sec. IX first."),
        .init("en", "In A.D. 70 Rome won."),
        .init("de", "Karl V. war Kaiser. ", "Kaiser war Karl V. ", "Er starb 1558."),
        .init("de", "Unter Kaiser Wilhelms II. Herrschaft war Krieg. ", "Der Tod Heinrichs IV. ", "Danach kam er."),
        .init("de", "Er nimmt Vitamin D. ", "Das hilft."),
        .init("de", "Er nimmt Vitamin D. ", "Menschen brauchen es."),
        .init("de", "Das gilt für Gruppe D. ", "Deutschland spielt."),
        .init("de", "Nägel, Schrauben o. Ä. ", "Das reicht."),
        .init("de", "Die o. g. Punkte gelten. ", "Sie sind neu."),
        .init("de", "Der Gewinn betrug 5 Mio. ", "Das ist viel."),
        .init("de", "Er wohnt in der Hauptstr. 5. ", "Sie auch."),
        .init("de", "Das 18./19. Jahrhundert war lang. ", "Dann nicht."),
        .init("de", "Es kostet 20 € pro Pers. ", "Dann gehen wir."),
        .init("de", "Siehe Fußn. 6 und Verl. Beck. ", "Sie lebte."),
        .init("de", "Am 1. 5. 2020 kam er. ", "Dann ging er."),
        .init("de", "Siehe Art. II des Gesetzes. ", "Es gilt."),
        .init("de", "J. S. Bach lebte hier. ", "Er schrieb viel."),
        .init("de", "Die Fa. Müller liefert. ", "Gut."),
        .init("de", "Mit freundlichen Grüßen i. A. Müller"),
        .init("de", "Der FC Bayern e. V. hat viele Mitglieder. ", "Gut."),
        .init("fr", "Il mesure 2 m. ", "Elle est petite."),
        .init("fr", "Une vis de 5 mm. ", "La pièce tient."),
        .init("fr", "J'ai revu mon ex. ", "Elle va bien."),
        .init("fr", "Voir chap. IV du livre. ", "Il aide."),
        .init("fr", "Voir vol. II. ", "Il aide."),
        .init("fr", "Le prof. Martin et le gén. Leclerc parlent. ", "Il rit."),
        .init("fr", "C'est le prof. ", "Il rit."),
        .init("fr", "Elle est prof. ", "Paul rit."),
        .init("es", "A. Machado escribió poemas. ", "Era bueno."),
        .init("es", "Los poemas de A. Machado gustan. ", "Son buenos."),
        .init("es", "J. A. Pérez llegó. ", "Era tarde."),
        .init("es", "E. Gómez llegó. ", "Era tarde."),
        .init("es", "En el 44 a. C. murió. ", "Fue triste."),
        .init("es", "Murió en el 44 a. C. ", "Los romanos lloraron."),
        .init("es", "El presidente de EE. UU. Donald Trump habló. ", "Fue breve."),
        .init("es", "Trabaja en Telefónica, S. A. ", "La empresa crece."),
        .init("es", "Vea el cap. IV. ", "Es claro."),
        .init("es", "Vea el vol. II. ", "Es claro."),
        .init("es", "Toma vitamina D. ", "La necesita."),
        .init("et", "Ta võtab vitamiin A. ", "Inimesed vajavad."),
        .init("et", "Ptk. IV on selge. ", "See aitab."),
        .init("en", "C. S. Lewis wrote it. ", "We read it."),
        .init("en", "I read C. S. Lewis. ", "He is good."),
        .init("en", "P. D. James wrote it. ", "She is good."),
        .init("en", "He asked J. P. Morgan. ", "He paid."),
        .init("en", "John F. A. Smith came. ", "He left."),
        .init("en", "Meet C. Jones. ", "He is nice."),
        .init("en", "It was by P. Smith. ", "She is nice."),
        .init("de", "Wir sahen J. S. Bach. ", "Er spielte."),
        .init("de", "Um 100 n. Chr. Geburt. ", "Gut."),
        .init("de", "Der Verein e. V. ", "Das ist er."),
        .init("de", "Gen. a. D. Müller kam. ", "Er ging."),
        .init("de", "Er kam am 2. Okt. 2019 an. ", "Sie auch."),
        .init("de", "Seit Dez. 1998 ist es so. ", "Gut."),
        .init("de", "Er ging im Nov. ", "Sie auch."),
        .init("de", "Die Fam. Lang hat 2 Mill. Euro. ", "Gut."),
        .init("es", "Llegó en dic. 2020 a la Pza. Mayor. ", "Era tarde."),
        .init("es", "En los ss. XVI y XVII se escribió. ", "Es claro."),
        .init("fr", "Voir le ch. 3 du livre. ", "Il aide."),
        .init("de", "S. Freud lebte in Wien. ", "Er schrieb."),
        .init("de", "Das Buch von S. Freud. ", "Er schrieb."),
        .init("de", "S. 5 ist leer. ", "Siehe S. VII und VIII."),
        .init("fr", "T. S. Eliot écrivit. ", "Il mourut."),
        .init("fr", "J'ai lu P. Claudel. ", "Il est bon."),
        .init("fr", "N. Sarkozy vint. ", "Il parla."),
        .init("es", "P. Almodóvar vino. ", "Habló."),
        .init("es", "Vi a P. Almodóvar. ", "Habló."),
        .init("et", "P. Kuusk tuli. ", "Ta laulis."),
        .init("et", "Luges P. E. Rummo. ", "Ta laulis."),
        .init("et", "Ta tuli 1. 5. 2020 koju. ", "Siis läks."),
        .init("en", "Ask Assoc. Prof. Lee or Insp. Gray. ", "They know."),
        .init("en", "It is in the Main Bldg. ", "They know."),
        .init("de", "Nach §§ 433 ff. BGB und Art. 3 f. GG gilt es. ", "Gut."),
        .init("de", "Nach §§ 433ff. BGB und Art. 3f. GG gilt es. ", "Siehe S. 33f. ", "Meier schreibt es."),
        .init("de", "Siehe S. 12 ff. ", "Das Gesetz gilt. ", "Siehe S. 33 f. ", "Meier schreibt es."),
        .init("de", "Siehe Rn. 5 und Rdn. 7. ", "Gut."),
        .init("de", "Das gilt insb. Kindern, mind. Jugendlichen. ", "Gut."),
        .init("de", "Das ist m.E. Unsinn und gem. Art. 5 verboten. ", "Gut."),
        .init("de", "Das steht a. a. O. ", "Es ist gut."),
        .init("en", "They met Mr. X. ", "He waited."),
        .init("en", "I. M. Pei built it. ", "He met I. M. Pei. ", "So did I. ", "Then we went."),
        .init("en", "See Lee et al. 1999. ", "Play Op. 27. ", "Take Rte. 66. ", "It is long."),
        .init("de", "Die K. u. k. Monarchie endete. ", "Gut."),
        .init("de", "Das ist die Konstante k. ", "Der Wert ist klein."),
        .init("de", "Es war nach der OP. ", "3 Stunden schlief sie."),
        .init("es", "Ingresó en las SS. ", "El oficial habló."),
        .init("de", "Unterschrift: gez. Schmidt. ", "Am Bhf. Zoo wartet er. ", "Gut."),
        .init("de", "Er kam aus Frankfurt a. M. ", "Dann ging er."),
        .init("en", "He was b. 1942. ", "They agree."),
        .init("de", "Herr Dr. h. c. Schmidt kam. ", "Im 2. OG Links wohnt er. ", "Gut."),
        .init("fr", "Il vit au 12 pl. Bellecour. ", "Il aide."),
        .init("es", "Vinieron SS. MM. ", "El público aplaudió."),
        .init("et", "Ta surn. 1999 Tartus. ", "Siis tuli kevad."),
        .init("de", "Der Preis ist 5,– Euro. ", "Das ist gut."),
        .init("es", "Los JJ. OO. Paralímpicos y las CC. AA. Unidas. ", "Fue así."),
        .init("es", "El motor tiene 125 cc. ", "Es rápido."),
        .init("en", "He met Henry VIII's wives. ", "They talked."),
        .init("en", "The price is $5 incl. 8% tax, approx. $4.2M. ", "It fell."),
        .init("en", "See Roe v. Wade of 1973. ", "It was overruled."),
        .init("en", "Marie died in Oct. '93. ", "He has Apt. 12B and Rm. 204. ", "She left."),
        .init("en", "They threw him into the brig. ", "He asked Brig. Smith why."),
        .init("en", "Ask at Ste. Anne or Ste. 200. ", "They know."),
        .init("en", "Read Rom. 8:28 and Gal. 5:3. ", "They help."),
        .init("en", "The king fled.¹² ", "Then he came back.[3] ", "He was old.[14]"),
        .init("de", "Das ist m. E. Unsinn, m. W. Fehler. ", "Der Stab misst 2 m. ", "Er ist rot."),
        .init("de", "Die Ausgabe 5. 10. 1936 fehlt. ", "Gut."),
        .init("de", "Siehe Ausgabe 5. 10. 1936"),
        .init("en", "It cost approx. US$5 million at a temp. of 98.6°F. ", "It fell."),
        .init("de", "Nach 30 Min. Ruhe und 1 Pck. Hefe ist er da. ", "Gut."),
        .init("de", "Friedrich d. Gr. König v. Preußen. ", "Er starb."),
        .init("de", "Im 18. u. 19. Jh. Europas lebten sie. ", "Gut."),
        .init("de", "Das steht im BGBl. I S. 1234. ", "Er wartet auf Gl. 12. ", "Gut."),
        .init("fr", "L'art. L. 121-1 prévoit une amende. ", "Il est là."),
        .init("fr", "Voir l'al. 2 et Rom. 8:28. ", "Il aide."),
        .init("fr", "Les mots ne venaient pas… ", "Le lendemain, tout était dit."),
        .init("fr", "« Je ne sais pas… » ", "Elle sortit."),
        .init("fr", "Elle attend… Marie, peut-être… ou lui."),
        .init("fr", "Elle dort… ", "L'homme sort… Jean-L. Roy aussi."),
        .init("fr", "Il va de 0 à 40 °C. ", "Poids : 2 kg. ", "Four à 180°C. ", "Mélangez tout."),
        .init("es", "No hallaba las palabras… ", "«¿Dónde estabas?», murmuró."),
        .init("es", "Pues… ¿qué quieres? ", "Nada… García no viene."),
        .init("es", "El aparato funciona a 230 V. ", "Guarde la caja."),
        .init("es", "Llegada: 1 V. Pérez, 2 L. García. ", "Fin."),
        .init("en", "Well… I cannot say… ", "He left… ", "Then he came back."),
        .init("en", "It runs at 230 V. ", "Unplug it. ", "In summer 1990 V. Smith joined."),
        .init("de", "Er schwieg… Hunde bellten… ", "Dann ging er."),
        .init("et", "Ta vaikis… ", "Siis ta läks. ", "Vesi oli 40 °C. ", "Supp jahtus."),
    ]

    static let ofProse: [Example] = [
        .init("de", "Eine Springform (26 cm) einfetten. ", "200 g Butter schaumig rühren. ", "Gut."),
        .init("de", "Er wohnt in Bremen. ", "30 km weiter wohnt sie. ", "Gut."),
        .init("de", "Man nimmt tägl. 200 g und einschl. 5 kg davon. ", "Gut."),
        .init("de", "Es kam am 3. Mai mit monatl. 5 kg Post. ", "Gut."),
        .init("de-DE", "Das steht auf www.einfetten. 200 g sind es."),
        .init("en", "The plant was closed. ", "63 people lost their work. ", "They left."),
        .init("en", "He came approx. 30 days late, on Tues. 5 May, incl. 3 nights. ", "They left."),
        .init("en", "The third ed. 5 years later, vers. 3 of it. ", "They left."),
        .init("et", "Tee oli kella 12-ni suletud. ", "63-aastane naine sai viga. ", "Hea."),
        .init("et", "Hind tõusis veerandi võrra. ", "65 m² korter maksab nüüd 700 eurot. ", "Hea."),
        .init("et", "Ta tuli 5. veebr. 2020 koju ja surn. 2021 seal. ", "Hea."),
        .init("de", "Sie liegt bei Hann. Münden am Fluss. ", "Johann. ", "Er ging."),
        .init("fr", "Il est fini. 200 g suffisent."),
        .init("de", "Er trug 20 Kgs. ", "Dann kam er nach Kgs. Wusterhausen. ", "Gut."),
        .init("de", "Wir sahen Hann. ", "Er ging mit einer 60 W. Lampe und 3 L. Milch heim."),
        .init("de", "Das Wasser war 25 °C. ", "F. Meyer nahm ca. 200 g, ggf. 3 m, Abb. 2 m weiter. ", "Gut."),
        .init("de", "Er hat Hepatitis C. ", "Das Kind (allg. 5 kg, mind. 3 m) ist krank. ", "Gut."),
        .init("en", "He lives at 350 W. Main Street. ", "The shop is at 12 W. Oak Road."),
        .init("en", "On page 12 V. Hugo says so. ", "In minute 85 L. Messi scored."),
        .init("en", "That is in Sched. 3 of the Act and Lament. 3 of it. ", "They left."),
        .init("en", "Take vitamin C. ", "The plan… Mary has it… I think… is Plan B. ", "We go."),
        .init("es", "En el minuto 85 L. Messi marcó. ", "Nadie lo creía."),
        .init("et", "Tere. ", "PS! Lapsed tulevad. ", "See on PS! ", "Hea."),
        .init("et", "Tule nüüd! ", "Lapsed tulevad."),
        .init("en", "Bye. ", "P.S. We'll come. ", "He added a P.S. ", "We laughed."),
        .init("en", "He is the P.S. ", "They left."),
        .init("et", "Küsi kontakttel. 5123456 või infotel. 1234 või kohapeal. ", "Hea."),
    ]

    @Test("finds sentences that begin with a number, and short names of towns", arguments: ofProse)
    func findsSentencesOfProse(_ example: Example) {
        check(example)
    }

    @Test("tells initials, numerals and units from the ends of sentences", arguments: ordinary)
    func keepsOrdinarySentences(_ example: Example) {
        check(example)
    }

    private func check(_ example: Example) {
        let text = example.sentences.joined()
        let units = Array(text.utf16)
        let found = segmenter.sentences(in: text, language: example.language)
            .map { String(decoding: units[$0], as: UTF16.self) }
        #expect(found == example.sentences)
    }

    @Test("finds sentences", arguments: examples)
    func sentences(_ example: Example) {
        check(example)
    }

    @Test(
        "finds words",
        arguments: [
            ("en", "Don't stop, it's 3.5 km!", ["Don't", "stop", "it's", "3.5", "km"]),
            ("et", "Tere, õhtu!", ["Tere", "õhtu"]),
            ("th", "สวัสดีชาวโลก", ["สวัสดี", "ชาว", "โลก"]),
            ("en", "… — !", []),
        ] as [(String, String, [String])]
    )
    func words(_ language: String, _ text: String, _ expected: [String]) {
        let units = Array(text.utf16)
        let found = segmenter.words(in: text, language: language).map { String(decoding: units[$0], as: UTF16.self) }
        #expect(found == expected)
    }

    @Test("serves many callers at once")
    func overlap() async {
        let text = "One sentence. Another one? Yes! And Dr. Who."
        let expected = segmenter.sentences(in: text, language: "en")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { segmenter.sentences(in: text, language: "en") == expected }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test("joins a hundred thousand empty lines in no more than linear work")
    func emptyLines() {
        let text = String(repeating: "\n", count: 100_000) + "End."
        #expect(segmenter.sentences(in: text, language: "en") == [0..<text.utf16.count])
    }

    @Test("cuts a text without marks in no more than linear work")
    func withoutMarks() {
        let text = String(repeating: "word ", count: 200_000)
        #expect(segmenter.sentences(in: text, language: "en") == [0..<text.utf16.count])
    }
}
