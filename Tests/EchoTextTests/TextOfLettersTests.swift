import EchoText
import Testing

/// Words that letters, registers, prefaces and timetables write short, and what only looks like it.
@Suite("Text of letters, registers and timetables")
struct TextOfLettersTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 30)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 30)
    }

    static let people: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "He was b. 1811 in Ky., moved to Ill. in 1830, and d. at age 54.",
            "He was born eighteen eleven in Kentucky, moved to Illinois in eighteen thirty, and died at age 54."
        ),
        .init(
            "en-US",
            "He lives in Louisville, Ky., and Boston, Mass. She moved to Va. Then she wrote.",
            "He lives in Louisville, Kentucky, and Boston, Massachusetts. She moved to Virginia. Then she wrote."
        ),
        .init(
            "en-US",
            "Lord Ashworth, 2nd Bt., and Sir John Rice, Bt., met.",
            "Lord Ashworth, 2nd Baronet, and Sir John Rice, Baronet, met."
        ),
        .init("en-US", asWritten: "She was in Mass. He was Ill. She liked La. Hello, Mo. How are you?"),
        .init(
            "en-US",
            "Vitamin d. in food, plan b. about it, c and d. In 1990 he left.",
            "Vitamin d. in food, plan b. about it, c and d. In nineteen ninety he left."
        ),
        .init("en-US", asWritten: "Press BT and look at the Ark. Noah built it."),
        .init(
            "en-US",
            "It departs at 6:05a and lands at 8:40p. See pp. 5–7, esp. fn. 12.",
            "It departs at six oh five AM and lands at eight forty PM. See pages 5 to 7, especially footnote 12."
        ),
        .init("en-US", asWritten: "Apartment 9a is free, and so is 12p."),
        .init("en-GB", "The road is shut nr Oxford.", "The road is shut near Oxford."),
        .init(
            "de-DE",
            "Mo–Fr 8–18 Uhr, Sa 9–14 Uhr, So geschl.",
            "Montag bis Freitag 8 bis 18 Uhr, Samstag 9 bis 14 Uhr, Sonntag geschlossen."
        ),
        .init("de-DE", asWritten: "Die Türen sind zu, so geschlossen wie nie. Gut, So geschlossen wie nie."),
        .init(
            "fr-FR",
            "La facture du 3/11 d'un montant de 5 € et la lettre du 3/11.",
            "La facture du trois novembre d'un montant de 5 euros et la lettre du trois novembre."
        ),
        .init(
            "es-ES",
            "La factura del 3/11 por 5 €; de lun. a vie. de 8 a 18 h, sáb. de 9 a 14 h, dom. cerrado",
            "La factura del tres de noviembre por 5 euros; de lunes a viernes de 8 a 18 horas, sábado de 9 a 14 horas, domingo cerrado"
        ),
        .init("et", "Vt kd 2, lk 45.", "vaata köide 2, lehekülg 45."),
        .init("en-US", asWritten: "1ST PRIZE IN THE 21ST CENTURY, ON 31ST STREET"),
        .init(
            "fr-FR",
            "OUVERT DE 9H À 18H30, LE SAMEDI JUSQU'À 20 H 15; BUS 18 H, 12 H et 15 F",
            "OUVERT DE 9 heures À dix-huit heures trente, LE SAMEDI JUSQU'À vingt heures quinze; BUS 18 H, 12 H et 15 F"
        ),
        .init("fr-FR", asWritten: "CHAPITRE DIX: LES DIX COMMANDEMENTS"),
        .init("fr-FR", asWritten: "LA VIE EST BELLE: IL FAUT LIRE, DIRE, RIRE ET LIER SA MIE."),
        .init(
            "fr-FR",
            "AU XIXE SIÈCLE, FRANÇOIS IER ET LES XXES JEUX; AU VIE SIÈCLE",
            "AU dix-neuvième SIÈCLE, FRANÇOIS premier ET LES vingtième JEUX; AU sixième SIÈCLE"
        ),
        .init(
            "de-DE",
            "Dr.-Ing. Maria Holz, Dipl.-Kfm. Uwe Kern, Dipl.-Psych. Anna Wolf und die Gebr. Grimm",
            "Doktor-Ingenieur Maria Holz, Diplom-Kaufmann Uwe Kern, Diplom-Psychologe Anna Wolf und die Gebrüder Grimm"
        ),
        .init(
            "de-DE",
            "auf d. Tisch, in d. Stadt, für d. Haus, an d. Tür, wegen d. Krieges, durch d. Garten",
            "auf dem Tisch, in der Stadt, für das Haus, an der Tür, wegen des Krieges, durch den Garten"
        ),
        .init(
            "de-DE",
            "Vitamin d. Das ist gut. Mit d. Kindern kam er unter d. Begriff. Am Ufer d. Sees in d. Nacht.",
            "Vitamin d. Das ist gut. Mit den Kindern kam er unter d. Begriff. Am Ufer des Sees in der Nacht."
        ),
        .init(
            "fr-FR",
            "un roman d'A. Camus, d'A.-M. Roy, l'O.N.U. vote, de l'U.R.S.S. Puis",
            "un roman d'A Camus, d'A M Roy, l'O N U vote, de l'U R S S. Puis"
        ),
        .init(
            "fr-FR",
            "le point d'A. Ensuite, à l'O. Puis, l'art. 5",
            "le point d'A. Ensuite, à l'O. Puis, l'article 5"
        ),
        .init(
            "fr-FR",
            "la pl. A montre, voir pl. B, pl. C. Les autres, (pl. D)",
            "la planche A montre, voir planche B, planche C. Les autres, (planche D)"
        ),
        .init(
            "fr-FR",
            "pl. A Briand, pl. V. Hugo, pl. D'Artagnan, pl. de la Paix",
            "place A Briand, place V. Hugo, place D'Artagnan, place de la Paix"
        ),
        .init(
            "fr-FR",
            "le Gal de Brissac, le Cdt du port, Mgr de Quélen, mais Gal Gadot",
            "le Général de Brissac, le Commandant du port, Monseigneur de Quélen, mais Gal Gadot"
        ),
        .init(
            "fr-FR",
            "le P. Lacordaire, du P. Teilhard, le P. S. Roy, le P. Puis, M. P. Dupont",
            "le Père Lacordaire, du Père Teilhard, le P S Roy, le P. Puis, Monsieur P Dupont"
        ),
        .init(
            "fr-FR",
            "4 r. Frochot, 12, r. de la Paix, 5 bis, r. des Lilas, fol. 12 r. Le texte",
            "4 rue Frochot, 12, rue de la Paix, 5 bis, rue des Lilas, fol. 12 r. Le texte"
        ),
        .init(
            "fr-FR",
            "L'édition in-8°, in-4°, in-fol., mais in-12 et 8° C",
            "L'édition in-octavo, in-quarto, in-folio, mais in-12 et 8 degrés C"
        ),
        .init(
            "fr-FR",
            "le n° de téléphone, le n° gagnant, nº d'appel, n° 5",
            "le numéro de téléphone, le numéro gagnant, numéro d'appel, numéro 5"
        ),
        .init(
            "es-ES",
            "El Rvdo. P. Llorente y el P. Gil, al P. S. Ruiz, la letra P. Luego",
            "El reverendo padre Llorente y el padre Gil, al P S Ruiz, la letra P. Luego"
        ),
        .init(
            "es-ES",
            "el Cnel. Ruiz y el Cap. Soto, el Cap. Primero, Cap. 3, el cap. IV",
            "el coronel Ruiz y el capitán Soto, el Cap. Primero, capítulo 3, el capítulo cuatro"
        ),
        .init(
            "es-ES",
            "la plta. baja, Univ. de Oviedo, Univ. Complutense, 3 arts.",
            "la planta baja, Universidad de Oviedo, Universidad Complutense, 3 artículos."
        ),
        .init(
            "es-ES",
            "óleo s/ lienzo, s/papel, s/ garaje, Villa s/ Tajo",
            "óleo sobre lienzo, sobre papel, sin garaje, Villa s/ Tajo"
        ),
        .init(
            "es-ES",
            "llegaron el 6 de en. de 1897, vive en. Luego, 3 de en. y en 1897",
            "llegaron el 6 de enero de 1897, vive en. Luego, 3 de en. y en 1897"
        ),
        .init(
            "es-ES",
            "de lun. a juev., miér. y viern. de 9:30 a 13:00 h.",
            "de lunes a jueves, miércoles y viernes de nueve treinta a trece horas."
        ),
        .init(
            "et",
            "Saadeti 5 ltn-i, 1 mjr, 12 ltn ja ltn Kask.",
            "Saadeti 5 leitnanti, 1 major, 12 leitnanti ja leitnant Kask."
        ),
        .init("et", "nr-d 5 ja 7, lk-d 3–5, nr-le 5", "numbrid 5 ja 7, leheküljed 3 kuni 5, numbrile 5"),
        .init("et", "300 m mööda Kase tn., Kase tn 5", "300 meetrit mööda Kase tänavat, Kase tänav 5"),
        .init("et", "Alg. kl 12, alg. 12.00, Alg. Siis", "algus kell 12, algus 12.00, Alg. Siis"),
        .init(
            "en-US",
            asWritten:
                "The twins, Bob and Jo, wrote to Pa. He read it. Howdy, Tex. We heard from Mo. On Sunday, Mass. was said."
        ),
        .init(
            "en-US",
            "I met John, Md. Khan and others. St. Louis, Mo., and Boston, Mass., are far. He lives in Erie, Pa. She does not.",
            "I met John, Md. Khan and others. Saint Louis, Missouri, and Boston, Massachusetts, are far. He lives in Erie, Pennsylvania. She does not."
        ),
        .init(
            "en-US",
            "Option b. in 2010 won, vitamin d. in 1990 was cheap, groups a, b and d. about 300 people.",
            "Option b. in twenty ten won, vitamin d. in nineteen ninety was cheap, groups a, b and d. about 300 people."
        ),
        .init(
            "es-ES",
            "el P. Popular, del P. Socialista, al P. Nacional, del P. Rojas, el Cap. General, al Cap. Horn",
            "el P. Popular, del P. Socialista, al P. Nacional, del padre Rojas, el Cap. General, al Cap. Horn"
        ),
        .init(
            "es-ES",
            "Estudia en la Univ. Luego come en la Univ. Complutense.",
            "Estudia en la Univ. Luego come en la Universidad Complutense."
        ),
        .init(
            "fr-FR",
            "le P. Socialiste, au P. Central, au fol. 12 r. du manuscrit, f. 4 r. des actes, 12 r. du Port",
            "le P. Socialiste, au P. Central, au fol. 12 r. du manuscrit, f. 4 r. des actes, 12 rue du Port"
        ),
        .init("fr-FR", "Vers l'E. Paris dort. La lettre d'A. Camus", "Vers l'E. Paris dort. La lettre d'A Camus"),
        .init("et", "mööda Kase tn. Siis läks ta koju.", "mööda Kase tänavat. Siis läks ta koju."),
    ]

    @Test("has people, places and books that are cut short", arguments: people)
    func readsPeople(_ row: TextOfBooksTests.Row) { check(row) }

    static let numbers: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "(see also n. 14), p. 12, n. 7, cf. n. 4",
            "(see also note 14), page 12, note 7, compare note 4"
        ),
        .init("en-US", asWritten: "For all n. 5 is prime; (n. 1950); item n. 2"),
        .init("fr-FR", "p. 4, n. 12 et la n. 3, mais n. 1950", "page 4, note 12 et la note 3, mais n. 1950"),
        .init(
            "es-ES",
            "la n. 21 de la p. 201, p. 4, n. 12, véase n. 5",
            "la nota 21 de la página 201, página 4, nota 12, véase nota 5"
        ),
        .init("es-ES", asWritten: "calle Mayor n. 5, calle Mayor, n. 5, (n. 1950)"),
        .init("es-ES", "los §§ 3 y 4, el § 7, §§ 6", "los párrafos 3 y 4, el párrafo 7, secciones 6"),
        .init(
            "es-ES",
            "constaba de X títulos, V libros, Malcolm X libros, de X personas",
            "constaba de diez títulos, cinco libros, Malcolm X libros, de X personas"
        ),
        .init("fr-FR", "en V actes, les X chants, M. X titres", "en cinq actes, les dix chants, Monsieur X titres"),
        .init(
            "de-DE",
            "Kap. IV u. V, Bd. I u. II, Karl V. u. Otto III. u. a. m.",
            "Kapitel vier und fünf, Band eins und zwei, Karl der fünfte und Otto der dritte und anderes mehr."
        ),
        .init(
            "de-DE",
            "Die Nrn. 1–12 stehen im 1. Bd., die Nrn. 13 ff. im 2.",
            "Die Nummern 1 bis 12 stehen im ersten Band, die Nummern 13 folgende im zweiten."
        ),
        .init(
            "de-DE",
            "Sie kam am 5. Dann fiel sie. Zum 1. Das war gut.",
            "Sie kam am fünften. Dann fiel sie. Zum ersten. Das war gut."
        ),
        .init("de-DE", asWritten: "Er wurde 19. Dann ging er. Es ging um 2."),
        .init(
            "de-DE",
            "lt. Register 1 Witwe, nur 1 Glycerin, 1 Lehrerin, 1 Schaft",
            "laut Register eine Witwe, nur ein Glycerin, eine Lehrerin, ein Schaft"
        ),
        .init(
            "fr-FR",
            "1 passagère sur 3, 31 enchères, 21 chiennes, 21 jachères, le groupe 1 suggère",
            "une passagère sur 3, trente et une enchères, vingt et une chiennes, 21 jachères, le groupe 1 suggère"
        ),
        .init(
            "et",
            "II trükk 1912, III väljaanne, 5. kuupäevaks, 10. kuupäeval",
            "teine trükk 1912, kolmas väljaanne, viiendaks kuupäevaks, kümnendal kuupäeval"
        ),
        .init("et", "Vt RT I 1995, 26, art 355; ART 5", "vaata RT üks 1995, 26, artikkel 355; ART 5"),
        .init(
            "et",
            "uus maja valmis 1.09.1935",
            "uus maja valmis esimesel septembril tuhat üheksasada kolmkümmend viis"
        ),
        .init(
            "en-US",
            "The sample (n. 45) was small; men (n. 120), notes (nn. 4–6), see also n. 3, also n. 2 of them",
            "The sample (n. 45) was small; men (n. 120), notes (notes 4 to 6), see also note 3, also n. 2 of them"
        ),
        .init(
            "es-ES",
            "una muestra (n. 45), Avenida 3, n. 45, C/ Mayor 4, n. 5, también n. 5, véase también n. 5",
            "una muestra (n. 45), Avenida 3, n. 45, calle Mayor 4, n. 5, también n. 5, véase también nota 5"
        ),
        .init(
            "fr-FR",
            "un échantillon (n. 45), les n. 5 et 6, les nn. 5 et 6, page 4, n. 12",
            "un échantillon (n. 45), les n. 5 et 6, les notes 5 et 6, page 4, note 12"
        ),
        .init(
            "es-ES",
            "dijo que X libros eran malos, compró X libros, los X libros",
            "dijo que X libros eran malos, compró X libros, los diez libros"
        ),
        .init(
            "fr-FR",
            "Il y avait X livres. Que le lot 1 provienne du groupe 1 soutienne, 1 chrétienne",
            "Il y avait X livres. Que le lot 1 provienne du groupe 1 soutienne, une chrétienne"
        ),
    ]

    @Test("has notes, parts, numerals and ordinals at the end", arguments: numbers)
    func readsNumbers(_ row: TextOfBooksTests.Row) { check(row) }

    static let amounts: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "At 0900 on D-Day, by 0630. Meet at 0430 and go.",
            "At zero nine hundred on D-Day, by zero six thirty. Meet at zero four thirty and go."
        ),
        .init("en-US", asWritten: "Dial 0900 numbers at 0900 numbers until 0045 pieces"),
        .init(
            "en-US",
            "call between 8 and 4:30 M–F, open M-F 9–5, 9 a.m.–5 p.m. M–F",
            "call between 8 and four thirty Monday to Friday, open Monday to Friday 9 to 5, 9 AM to 5 PM Monday to Friday"
        ),
        .init("en-US", asWritten: "the M-F ratio, male M–F female, BMW M-F 12 model"),
        .init(
            "en-GB",
            "for £7,450 13s., £3 4s. in all, but £5 10s timer",
            "for seven thousand four hundred fifty pounds 13 shillings, three pounds 4 shillings in all, but five pounds 10 seconds timer"
        ),
        .init(
            "en-GB",
            "entry (under-16s £1), the over 60s, in under 16s, a 10s delay",
            "entry (under-16s one pound), the over sixties, in under 16 seconds, a 10 seconds delay"
        ),
        .init(
            "en-GB",
            "We did 40 mpg at 60 mph with 35 psi and 12 kn of wind.",
            "We did 40 miles per gallon at 60 miles per hour with 35 pounds per square inch and 12 knots of wind."
        ),
        .init(
            "de-DE",
            "3 Mio. DM, 1 DM, mit 1 DM, bei 1 RM, 60 Pf. pro Std.",
            "drei Millionen D-Mark, eine D-Mark, mit einer D-Mark, bei einer Reichsmark, 60 Pfennig pro Stunde."
        ),
        .init(
            "de-DE",
            "mit 1 €, von 1 € bis 5 €, für 1 €, in 1 Krone",
            "mit einem Euro, von einem Euro bis 5 Euro, für ein Euro, in einer Krone"
        ),
        .init("de-DE", "Das U-Boot lief mit 17 kn.", "Das U-Boot lief mit 17 Knoten."),
        .init(
            "fr-FR",
            "La voiture (90 ch) coûte 45 F, l'autre 12,50 F",
            "La voiture (90 chevaux) coûte 45 francs, l'autre 12,50 francs"
        ),
        .init(
            "fr-FR",
            "maison, 3 ch., bonnet 85 F, ligne 3 F vers, 5F, ch. 3",
            "maison, 3 chambres, bonnet 85 F, ligne 3 F vers, 5F, chapitre 3"
        ),
        .init(
            "fr-FR",
            "7 j/7 et 24 h/24, 7 j/8, 24 h/jour",
            "7 jours sur 7 et 24 heures sur 24, 7 jours/8, 24 heures par jour"
        ),
        .init(
            "fr-FR",
            "le 0 800 12 13 14 (nº vert), 1 800 12 13 14",
            "le zéro, huit cents, douze, treize, quatorze (numéro vert), mille huit cents 12 13 14"
        ),
        .init(
            "fr-FR",
            "9 N·m, 1 N·m, 35 N.m et 12 Nm",
            "9 newtons mètres, 1 newton mètre, 35 newtons mètres et 12 newtons mètres"
        ),
        .init(
            "en-US",
            asWritten: "Files at 0644, directories at 0755 and an offset at 0040. Dial it by 0022 the mask."
        ),
        .init(
            "en-US",
            "We have 8 M-F adapters. Cells 12 M–F were empty, as columns M–F 2 to 8. Open 9–5 M–F.",
            "We have 8 M-F adapters. Cells 12 M–F were empty, as columns M–F 2 to 8. Open 9 to 5 Monday to Friday."
        ),
        .init(
            "en-US",
            "A sub-10s time, a pre-10s clip, hold it for under 5s, free for under 16s, an all-0s mask",
            "A sub-10 seconds time, a pre-10 seconds clip, hold it for under 5 seconds, free for under 16s, an all-0s mask"
        ),
        .init(
            "en-GB",
            "We pay £10 45s on the line, but £10 15s in all.",
            "We pay ten pounds 45 seconds on the line, but ten pounds 15 shillings in all."
        ),
        .init(
            "de-DE",
            "2 Pf. Mehl, 3 Pf. Butter, bei der DM 2 Medaillen, im RM 3, 60 Pf. Der Mann",
            "2 Pf. Mehl, 3 Pf. Butter, bei der DM 2 Medaillen, im RM 3, 60 Pfennig. Der Mann"
        ),
        .init("fr-FR", asWritten: "Il fait 20 F dehors, 12 H, 15 F, 45 H / 55 F, au 12 F, rue de la Paix, page 12 F"),
        .init(
            "fr-FR",
            "Hôtel de 45 ch, un hôtel, 20 ch. avec piscine; Jn 12 ch 3; elle. Un moteur de 45 ch",
            "Hôtel de 45 ch, un hôtel, 20 ch. avec piscine; Jn 12 ch 3; elle. Un moteur de 45 chevaux"
        ),
        .init("fr-FR", "2 h/2 personnes, 4 j/4, 3 j/3 nuits", "2 heures/2 personnes, 4 jours/4, 3 jours/3 nuits"),
        .init(
            "en-US",
            "She won the $5K prize and a pair of $50 tickets. He paid $5 fees.",
            "She won the five thousand dollar prize and a pair of fifty dollar tickets. He paid five dollar fees."
        ),
        .init("et", "Hind on 500.- kr, hiljem 15,00 kr.", "Hind on viissada krooni, hiljem viisteist krooni."),
        .init("de-DE", "Sie siegten mit 21:19 Punkten.", "Sie siegten mit 21 zu 19 Punkten."),
        .init("de-DE", "Ab 21:19 punkten wir.", "Ab einundzwanzig Uhr neunzehn punkten wir."),
    ]

    @Test("has money, measures, hours and days", arguments: amounts)
    func readsAmounts(_ row: TextOfBooksTests.Row) { check(row) }

    static let capitals: [TextOfBooksTests.Row] = [
        .init("en-US", "THE OLD MAN sat down and wept.", "THE old man sat down and wept."),
        .init(
            "fr-FR",
            "IL Y A UN AN, ON A VU LE ROI dans un train rapide.",
            "IL Y A UN AN, ON A vu le roi dans un train rapide."
        ),
        .init("en-US", "ASK FOR ME AT THE YMCA. The ACLU sued.", "ASK FOR ME AT THE Y M C A. The A C L U sued."),
        .init(
            "en-US",
            "Then he wrote LET HIM OUT NOW and went home to his wife and kids.",
            "Then he wrote let HIM out NOW and went home to his wife and kids."
        ),
        .init(
            "de-DE",
            "Er rief DA IST ICH NIE in die Runde und ging dann langsam nach Hause.",
            "Er rief da IST ich nie in die Runde und ging dann langsam nach Hause."
        ),
        .init("de-DE", asWritten: "SIE IST DA! ER SAH ES UND RIEF DIE POLIZEI."),
        .init(
            "fr-FR",
            "Et elle cria JE NE VEUX PAS LE SOL et partit en courant vers la maison.",
            "Et elle cria je ne VEUX PAS le SOL et partit en courant vers la maison."
        ),
        .init("fr-FR", asWritten: "LE SOL DU ROI EST SEC"),
        .init(
            "es-ES",
            "Entonces dijo NO ME LO DIGAS a su madre y se marchó corriendo.",
            "Entonces dijo no me lo DIGAS a su madre y se marchó corriendo."
        ),
        .init("es-ES", asWritten: "SI NO ME LO DICE ÉL, YO NO SÉ NADA. LA DGT NO MULTA."),
        .init(
            "et",
            "Siis ta hüüdis MA EI TULE ja läks kiiresti koju oma naise juurde.",
            "Siis ta hüüdis ma ei TULE ja läks kiiresti koju oma naise juurde."
        ),
        .init("et", asWritten: "SEE OLI ÕNNE PÄEV JA ME EI LÄINUD KOJU."),
        .init("de-DE", asWritten: "Die Kürzel DA, DU, MAL und WIE stehen für Städte in Deutschland und der Welt."),
        .init(
            "es-ES",
            asWritten: "La norma UNE EN ISO 9001 y los elementos AL, HE y TI se conocen bien en todas partes."
        ),
        .init("et", asWritten: "Standard EVS EN ISO 9001 kehtib selles tehases juba ammu ja igal pool."),
    ]

    static let acronyms: [TextOfBooksTests.Row] = [
        .init("en-US", "Enter the PIN and swap the SIM card.", "Enter the pin and swap the sim card."),
        .init("en-GB", "Her ZIP code; an LED and the FBI.", "Her zip code; an LED and the FBI."),
        .init("de-DE", "Der DAX fiel, der TÜV kam.", "Der dax fiel, der tüv kam."),
        .init("de-DE", "Die PIN meiner SIM, die vielen der USA.", "Die Pinn meiner Simm, die vielen der USA."),
        .init("fr-FR", "L’ENA ferme, il va à l’ONU, le code PIN.", "L'éna ferme, il va à l'onu, le code pine."),
        .init("fr-FR", "Un CAP, une PME et la TVA sont épelés.", "Un CAP, une PME et la TVA sont épelés."),
        .init("es-ES", "La ONU publicó que el IVA y el PIB subieron.", "La onu publicó que el iva y el pib subieron."),
        .init("es-ES", asWritten: "La ONG, la OMS y el ADN se deletrean hoy."),
        .init("et", "PIN-kood ja SIM-kaart on siin.", "pin-kood ja sim-kaart on siin."),
        // Engines say them in a clause of capitals.
        .init("es-ES", asWritten: "EL IVA SUBE. ONU"), .init("en-US", asWritten: "PIN 0042"),
    ]

    @Test("has acronyms that are said as words", arguments: acronyms)
    func readsAcronyms(_ row: TextOfBooksTests.Row) { check(row) }

    @Test("spells no short words in capitals among small letters", arguments: capitals)
    func readsCapitals(_ row: TextOfBooksTests.Row) { check(row) }
}
