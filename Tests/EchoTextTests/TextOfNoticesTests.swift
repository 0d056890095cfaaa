import EchoText
import Testing

/// Tight notices, as classified ads, results, bills, leaflets and chats have them; they were made for these tests.
@Suite("Text of notices")
struct TextOfNoticesTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let shortWords: [TextOfBooksTests.Row] = [
        .init("fr-FR", "arr. 08h56 à Lyon", "arrivée huit heures cinquante-six à Lyon"),
        .init("fr-FR", "1 j de repos, puis 3 j de marche", "1 jour de repos, puis 3 jours de marche"),
        .init("fr-FR", asWritten: "le J et le j sont rares"),
        .init("fr-FR", "un village de 350 hab au km 12,5", "un village de 350 habitants au kilomètre 12,5"),
        .init("fr-FR", "encore 12 km 300 avant le but", "encore 12 kilomètres 300 avant le but"),
        .init("fr-FR", "paru dans la coll. « Folio »", "paru dans la collection « Folio »"),
        .init("fr-FR", "un comprimé pdt 7 jours", "un comprimé pendant 7 jours"),
        .init("fr-FR", asWritten: "à midi PDT, soit 20 heures"),
        .init("fr-FR", "je suis dvt la gare, tjrs en retard", "je suis devant la gare, toujours en retard"),
        .init("fr-FR", "à 8 Mb/s et 2 atm par 15 nds", "à 8 mégabits par seconde et 2 atmosphères par 15 nœuds"),
        .init("es-ES", "un piso de 3 hab. y 1 hab. más", "un piso de 3 habitaciones y una habitación más"),
        .init("es-ES", "un pueblo de 350 hab. y la hab. 204", "un pueblo de 350 habitantes y la habitación 204"),
        .init("es-ES", "el apdo. de correos 125", "el apartado de correos 125"),
        .init("es-ES", "la fra. n.º 12 con vto. en mayo", "la factura número 12 con vencimiento en mayo"),
        .init("es-ES", asWritten: "Lo pintó Fra Angélico."),
        .init("es-ES", "Temp. máx. 30 °C en la sierra", "temperatura máxima 30 grados Celsius en la sierra"),
        .init("es-ES", asWritten: "precios de temp. alta"),
        .init("es-ES", "C.P. 41013 de Sevilla", "código postal 41013 de Sevilla"),
        .init("es-ES", asWritten: "el C P de la casa"),
        .init("es-ES", "a 8.849 m s. n. m. y más", "a 8.849 metros sobre el nivel del mar y más"),
        .init("es-ES", "a 640 msnm y más", "a 640 metros sobre el nivel del mar y más"),
        .init("es-ES", "Hnos. García, S. L., de Lugo", "hermanos García, sociedad limitada, de Lugo"),
        .init("es-ES", "S. L. Jackson actúa.", "S L Jackson actúa."),
        .init("es-ES", "xfa ven, xq llueve", "por favor ven, porque llueve"),
        .init("es-ES", "así es (cf. ibíd., p. 12)", "así es (confer ibídem, página 12)"),
        .init("es-ES", asWritten: "Ganó el Valencia CF."),
        .init("es-ES", asWritten: "un hotel de 120 hab., 45 hab. con vistas y 2 camas/hab. en cada piso"),
        .init("es-ES", "a 60 €/hab. y noche", "a 60 euros por hab y noche"),
        .init("es-ES", asWritten: "Robert Downey Sr. actuó con un vino bco. Rueda de 2500 pts."),
        .init("es-ES", "M.ª T.ª López", "María T.ª López"),
        .init("es-ES", asWritten: "un fichero doc y 2 doc. de huevos"),
        .init("fr-FR", asWritten: "Roy et coll. ont écrit, en coll. avec Fabre, la doc. technique."),
        .init("fr-FR", asWritten: "Merci, doc. On y va."),
        .init("fr-FR", asWritten: "un sac de pdt 3 fois"),
        .init("es-ES", "choque en km 23,5 hoy", "choque en kilómetro 23,5 hoy"),
        .init("es-ES", "en el km 23,5 y a 3 km", "en el kilómetro 23,5 y a 3 kilómetros"),
        .init("es-ES", "debe 1,5 bill. de euros", "debe 1,5 billones de euros"),
        .init("es-ES", "a 1 atm y 8 Mb/s", "a una atmósfera y 8 megabits por segundo"),
    ]

    @Test("reads words that are cut short", arguments: shortWords)
    func readsShortWords(_ row: TextOfBooksTests.Row) { check(row) }

    static let signs: [TextOfBooksTests.Row] = [
        .init("en-US", "Kids <5 and seniors >65 pay half.", "Kids less than 5 and seniors more than 65 pay half."),
        .init(
            "en-US",
            "It fell (p <0.05) in a room (~168 words).",
            "It fell (p less than 0.05) in a room (about 168 words)."
        ),
        .init("en-US", "a few (> 10) at ~$5 each", "a few (more than 10) at about five dollars each"),
        .init("en-US", asWritten: "I <3 you, and the tag <5> is about ~5."),
        .init("en-US", asWritten: "We love you <333 and ~5~ is small."),
        .init("en-US", "It took approx. ~5 days.", "It took approximately ~5 days."),
        .init("en-US", "Is 10 >5, or a fee of <$3?", "Is 10 greater than 5, or a fee of less than three dollars?"),
        .init("en-US", "Pay by 12/31 or until 1/15.", "Pay by December thirty-first or until January fifteenth."),
        .init("en-US", "Take the SAT May 5.", "Take the SAT May fifth."),
        .init("en-US", "It was reduced by 1/20.", "It was reduced by one twentieth."),
        .init("en-US", "He is shorter by 5/16 inch.", "He is shorter by five sixteenths inch."),
        .init("en-GB", asWritten: "a drop by 13/40 in all"),
        .init("en-US", "a room of 12' x 14' inside", "a room of 12 feet by 14 feet inside"),
        .init("en-US", "a rug, 8'x10'", "a rug, 8 feet by 10 feet"),
        .init("en-US", asWritten: "the sizes '8' x 10'"),
        .init("en-US", "the '80s x 14' mix", "the eighties x 14' mix"),
        .init("en-US", "a 55\" TV and the 27\" monitor", "a 55 inch TV and the 27 inch monitor"),
        .init("en-US", asWritten: "the \"top 40\" screen and \"channel 55\" TV"),
        .init("en-US", "It costs 1.5x rent.", "It costs 1.5 times rent."),
        .init("en-US", asWritten: "a zoom of 2.5x, or 1.5x 2"),
        .init("en-US", asWritten: "a 2.5x zoom, and 1.5x plus 2"),
        .init("en-US", "the ½-mile trail, a 1/2-inch gap", "the half-mile trail, a half-inch gap"),
        .init("en-US", "a 3 and 1/2-inch nail", "a 3 and one half-inch nail"),
        .init("en-US", "at ½ price, or 1 ½-mile", "at one half price, or 1 and one half-mile"),
        .init("en-US", "Winds NW 10–15 mph", "Winds northwest 10 to 15 miles per hour"),
        .init("en-US", asWritten: "in the wind. NW of town, DC has wind, SE has none"),
        .init(
            "en-US",
            "Rent: $1,850/mo. + utilities",
            "Rent: one thousand eight hundred fifty dollars per month + utilities"
        ),
        .init("en-US", "take 10 mg/kg/day of it", "take 10 milligrams per kilogram per day of it"),
        .init("fr-FR", "des enfants (<12 ans), soit ~40 %", "des enfants (moins de 12 ans), soit environ 40 %"),
        .init("fr-FR", "un livre à <5 km", "un livre à moins de 5 kilomètres"),
        .init("fr-FR", "vent de N-O ou vents du SE", "vent de nord-ouest ou vents du sud-est"),
        .init("fr-FR", asWritten: "le vent, et NO pour non"),
        .init("es-ES", asWritten: "EL VIENTO SE LLEVA LA CASA"),
        .init("fr-FR", "un écran 55\", un vélo 26\" bleu", "un écran 55 pouces, un vélo 26 pouces bleu"),
        .init(
            "fr-FR",
            "245 hab./km² et 2 j/sem. au plus",
            "245 habitants par kilomètre carré et 2 jours par semaine au plus"
        ),
        .init("fr-FR", "dose de 4 g/24 h pour 2 t/12 m", "dose de 4 grammes par 24 heures pour 2 tonnes/12 mètres"),
        .init("en-US", "hikes of 12 mi/3 hrs", "hikes of 12 miles/3 hours"),
        .init(
            "fr-FR",
            "Appelez le 0 800 123 456 ici",
            "Appelez le zéro, huit zéro zéro, un deux trois, quatre cinq six ici"
        ),
        .init("es-ES", "niños (<12 años) y ~40 más", "niños (menos de 12 años) y aproximadamente 40 más"),
        .init("es-ES", "Está a <5 km de aquí.", "Está a menos de 5 kilómetros de aquí."),
        .init("es-ES", "viento del NE y del mar", "viento del noreste y del mar"),
        .init("es-ES", asWritten: "el parte del NO y del SO"),
        .init("es-ES", "una pantalla de 55\" 4K", "una pantalla de 55 pulgadas 4K"),
        .init("es-ES", "54 hab./km² y 5 hab/km²", "54 habitantes por kilómetro cuadrado y 5 hab/km al cuadrado"),
        .init("es-ES", "10 mg/kg/día y 12 €/ud. hoy", "10 miligramos por kilogramo por día y 12 euros por unidad hoy"),
        .init(
            "es-ES",
            "al 900 123 456 de 9 a 2",
            "al novecientos, ciento veintitrés, cuatrocientos cincuenta y seis de 9 a 2"
        ),
        .init(
            "es-ES",
            "unas 900 123 456 personas",
            "unas novecientos millones ciento veintitrés mil cuatrocientas cincuenta y seis personas"
        ),
        .init(
            "es-ES",
            "L-V 9:00-14:00; S 10:00-14:00",
            "lunes a viernes nueve horas a catorce horas; sábado diez horas a catorce horas"
        ),
        .init("es-ES", "Turno: M 8:00-15:00", "Turno: M ocho horas a quince horas"),
        .init("es-ES", asWritten: "la talla, S 10 o D 5"),
        .init("es-ES", "deben 3 mill. de € y 2 pagos de €", "deben 3 millones de euros y 2 pagos de €"),
    ]

    static let measures: [TextOfBooksTests.Row] = [
        .init("fr-FR", "1/4 l de vin et 3/4 h de repos", "un quart de litre de vin et trois quarts d'heure de repos"),
        .init("fr-FR", "¼ l, 1/2 l et 1/3 des voix", "un quart de litre, un demi litre et un tiers des voix"),
        .init("fr-FR", "à 7 200 tr/min ici", "à sept mille deux cents tours par minute ici"),
        .init("fr-FR", "l'arrêt n° 12-345 et les nos 4", "l'arrêt numéro 12-345 et les nos 4"),
        .init("fr-FR", "les pages du n° 98-102 ici", "les pages du numéro 98 à 102 ici"),
        .init("fr-FR", "le n° 12-14 de mars", "le numéro 12 à 14 de mars"),
        .init("fr-FR", "J.-P. Sartre et M.-A. Roy", "J P Sartre et M A Roy"),
        .init("fr-FR", "en 44 avant J.-C. Rome tremble", "en 44 avant Jésus-Christ. Rome tremble"),
        .init("fr-FR", "M. Roy, puis 12 av. J.-C. à Rome", "Monsieur Roy, puis 12 avant Jésus-Christ à Rome"),
        .init("fr-FR", "Il gagne 3-2 a.p. à Lyon", "Il gagne 3 à 2 après prolongation à Lyon"),
        .init("fr-FR", asWritten: "Voilà ce qu'il a. P. Roy le sait."),
        .init("fr-FR", "la Sté Martin, esc. 2, à gche", "la Société Martin, escalier 2, à gauche"),
        .init("fr-FR", "T° de 12 °C", "température de 12 degrés Celsius"),
        .init("es-ES", "1/4 l de vino y 3/4 kg", "un cuarto de litro de vino y tres cuartos de kilogramo"),
        .init("es-ES", "1/2 l y 2/3 del voto", "medio litro y dos tercios del voto"),
        .init("es-ES", "149,6 millones de km y 3 km", "149,6 millones de kilómetros y 3 kilómetros"),
        .init("es-ES", "el precio por km y en km", "el precio por kilómetro y en kilómetros"),
        .init(
            "es-ES",
            "al 600 123 456 para reservar",
            "al seiscientos, ciento veintitrés, cuatrocientos cincuenta y seis para reservar"
        ),
        .init(
            "es-ES",
            "llama al 600 123 456 o ven",
            "llama al seiscientos, ciento veintitrés, cuatrocientos cincuenta y seis o ven"
        ),
        .init(
            "es-ES",
            "un total de 734 512 908 hoy",
            "un total de setecientos treinta y cuatro millones quinientos doce mil novecientos ocho hoy"
        ),
        .init(
            "es-ES",
            "Total: 734 512 908",
            "Total: setecientos treinta y cuatro millones quinientos doce mil novecientos ocho"
        ),
        .init("es-ES", "Sras. Díaz, Dres. Gil y Dras. Mas", "señoras Díaz, doctores Gil y doctoras Mas"),
        .init(
            "es-ES",
            "Arts. 14 y 15, págs. 12 y ss. del libro",
            "artículos 14 y 15, páginas 12 y siguientes del libro"
        ),
        .init("es-ES", "ss. XVI y XVII, esc. B, n.º 3", "siglos dieciséis y diecisiete, escalera B, número 3"),
        .init("es-ES", asWritten: "Dres y Mas son lugares."),
    ]

    static let letters: [TextOfBooksTests.Row] = [
        .init("en-US", "the call is Wed 6 Nov at noon", "the call is Wednesday the sixth of November at noon"),
        .init("en-GB", "on Thu Nov 5 at noon", "on Thursday November fifth at noon"),
        .init(
            "en-GB",
            "in The Sun, 12 March at noon",
            "in The Sun, the twelfth of March at noon"
        ),
        .init("en-US", asWritten: "They wed 6 years ago. The Sun has set, Fri is here."),
        .init("en-US", "She's 5 ft 4 in tall.", "She's 5 feet 4 inches tall."),
        .init("en-US", "He was 6 ft 2 in high school.", "He was 6 feet 2 in high school."),
        .init("en-US", "It grew 2%/yr or 3%/year.", "It grew 2% per year or 3% per year."),
        .init("en-US", asWritten: "a 50%/50% blend, 100%/cotton"),
        .init("fr-FR", "le PIB/hab. croît de 2 %/an ici", "le PIB par habitant croît de 2 % par an ici"),
        .init("fr-FR", asWritten: "50 %/50 %, et/ou la moitié"),
        .init("fr-FR", "37°2 le matin, 38°5.", "37 degrés 2 le matin, 38 degrés 5."),
        .init("fr-FR", "3 ans 1/2 et 2 heures ½", "3 ans et demi et 2 heures et demie"),
        .init("fr-FR", "7 jours 1/2 pension", "7 jours une demi pension"),
        .init("fr-FR", "les ans, 1/2 litre et ½ heure", "les ans, un demi litre et une demi heure"),
        .init("fr-FR", "le doc. n° 3 et l'ép. 4", "le document numéro 3 et l'épisode 4"),
        .init("es-ES", "Estimado Sr. director y Sra. Díaz", "Estimado señor director y señora Díaz"),
        .init("es-ES", "Sr. y Sra. López", "señor y señora López"),
        .init("es-ES", asWritten: "El sr y la sra saludan."),
        .init("es-ES", "sube un 2 %/año con 21 pts más", "sube un 2 % por año con 21 puntos más"),
        .init("es-ES", "el doc. n.º 3, T.ª de 5 °C", "el documento número 3, temperatura de 5 grados Celsius"),
    ]

    @Test("reads letters and news", arguments: letters)
    func readsLetters(_ row: TextOfBooksTests.Row) { check(row) }

    @Test("reads fractions of measures, codes and names", arguments: measures)
    func readsMeasures(_ row: TextOfBooksTests.Row) { check(row) }

    @Test("reads signs and measures", arguments: signs)
    func readsSigns(_ row: TextOfBooksTests.Row) { check(row) }

    static let raceTimes: [TextOfBooksTests.Row] = [
        .init("fr-FR", "Le 100 m en 9\"86 !", "Le 100 mètres en neuf secondes quatre-vingt-six !"),
        .init("fr-FR", "en 2h21'34''", "en deux heures, vingt et une minutes et trente-quatre secondes"),
        .init("fr-FR", "en 1'47\"08", "en une minute et quarante-sept secondes zéro huit"),
        .init("fr-FR", asWritten: "« le top 9 » et le \"top 10\""),
        .init("fr-FR", "haut de 1'85 m", "haut de 1'85 mètres"),
        .init("fr-FR", "le but (23') et 67'", "le but (23') et 67'"),
        .init("es-ES", "en 32'15\" y tercero", "en treinta y dos minutos y quince segundos y tercero"),
        .init("es-ES", asWritten: "mide 5'11\" de alto"),
        .init("es-ES", asWritten: "Dijo: \"Cuesta 2'50\" y \"el del 27\"12 veces."),
        .init("fr-FR", asWritten: "une femme de 5'11\" ou 6'10\" de haut"),
        .init("fr-FR", "en 5'10\" ici", "en cinq minutes et dix secondes ici"),
        .init("es-ES", "goles de Pedri (23', 67')", "goles de Pedri (minuto 23, minuto 67)"),
    ]

    @Test("reads times of races", arguments: raceTimes)
    func readsRaceTimes(_ row: TextOfBooksTests.Row) { check(row) }

    static let ordinary: [TextOfBooksTests.Row] = [
        .init("fr-FR", "la séance de 19 h 05 est levée", "la séance de dix-neuf heures cinq est levée"),
        .init("fr-FR", "Rendez-vous à 20 h 00.", "Rendez-vous à vingt heures."),
        .init("fr-FR", "vers 3 h 30 du matin", "vers 3 heures 30 du matin"),
        .init("fr-FR", "en 2 h 05 min de route", "en 2 heures 05 minutes de route"),
        .init("fr-FR", "P.-S. : à demain", "post-scriptum : à demain"),
        .init("fr-FR", "un livre de P.-S. Roy", "un livre de P S Roy"),
        .init("es-ES", "Su pedido n.º 48213 ha salido hoy.", "Su pedido número 48213 ha salido hoy."),
        .init("es-ES", asWritten: "En enero de 2025 ha llovido mucho."),
        .init("es-ES", asWritten: "El vuelo 7 ha hecho escala."),
        .init("es-ES", "un parque de 85 ha situado al norte", "un parque de 85 hectáreas situado al norte"),
        .init("es-ES", "El parque ocupa 85 ha vallado.", "El parque ocupa 85 hectáreas vallado."),
        .init(
            "es-ES",
            "terreno rústico, 5 ha, terreno 3 ha vallado",
            "terreno rústico, 5 hectáreas, terreno 3 hectáreas vallado"
        ),
        .init("es-ES", "El parque tiene 85 ha y es bonito.", "El parque tiene 85 hectáreas y es bonito."),
    ]

    @Test("reads ordinary mails, minutes and news", arguments: ordinary)
    func readsOrdinaryText(_ row: TextOfBooksTests.Row) { check(row) }
}
