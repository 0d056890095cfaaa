import Testing

@testable import SpeechEngines

@Suite("Places of words in a phrase")
struct PiperWordPlacesTests {
    private func said(_ phrase: String, _ words: [String]) -> [String?] {
        let symbols = Array(phrase.unicodeScalars)
        return PiperWordPlaces(symbols).places(of: words.map { Array($0.unicodeScalars) }).map { place in
            place.map { String(String.UnicodeScalarView(symbols[$0.symbols])) }
        }
    }

    @Test func `are between the spaces where there are as many`() {
        #expect(said("həlˈəʊ, wˈɜːld.", ["həlˈəʊ", "wˈɜːld"]) == ["həlˈəʊ", "wˈɜːl" + "d"])
    }

    @Test func `are found where two words are said as one`() {
        #expect(
            said("ɐ tˈɛst ʌvðə vˈɔɪs", ["eɪ", "tˈɛst", "ʌv", "ðə", "vˈɔɪs"]) == ["ɐ", "tˈɛst", "ʌv", "ðə", "vˈɔɪs"]
        )
    }

    @Test func `are found where one word is said as several`() {
        #expect(
            said("twˈɛnti wˈʌn dˈeɪz", ["twˈɛnti wˈʌn", "dˈeɪz"]) == ["twˈɛnti wˈʌn", "dˈeɪz"]
        )
    }

    @Test func `are found where both happen in one phrase, so that there are as many spaces as words`() {
        #expect(
            said("ɪnðə fˈɔːɹɾi tˈuː jˈɪɹz", ["ɪn", "ðə", "fˈɔːɹɾi tˈuː", "jˈɪɹz"])
                == ["ɪn", "ðə", "fˈɔːɹɾi tˈuː", "jˈɪɹz"]
        )
    }

    @Test func `are shared out by length where comparing would take too much`() {
        let word = Array("ˈeɪ tʃ ə".unicodeScalars)
        let count = 1_000
        let phrase = Array(Array(repeating: word, count: count).joined(separator: [" "]))
        let places = PiperWordPlaces(phrase).places(of: Array(repeating: word, count: count)).compactMap(\.self)
        #expect(places.count == count)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.symbols.upperBound <= $1.symbols.lowerBound })
        for (number, place) in places.enumerated() {
            #expect(abs(place.symbols.lowerBound - number * (word.count + 1)) <= 2)
        }
    }

    @Test func `are none for a word of which nothing is heard`() {
        #expect(said("ˈəʊnli", ["", "ˈəʊnli"]) == [nil, "ˈəʊnli"])
        #expect(said("", ["a", "b"]) == [nil, nil])
    }

    @Test func `never overlap, whatever is said`() {
        let words = ["ðə", "kˈætəl", "ɪz", "ˈɒn", "ˈænd", "wˈɔːm"]
        let phrase = Array("ðəkˈɛtəlz ˌɒn ən wˈɔːm".unicodeScalars)
        let places = PiperWordPlaces(phrase).places(of: words.map { Array($0.unicodeScalars) }).compactMap(\.self)
        for (place, next) in zip(places, places.dropFirst()) {
            #expect(place.symbols.upperBound <= next.symbols.lowerBound)
        }
        #expect(places.count >= 4)
    }

    @Test func `are certain only where a space stands or both sounds are the words' own`() {
        let merged = Array("ʌvðə".unicodeScalars)
        let same = PiperWordPlaces(merged).places(of: [Array("ʌv".unicodeScalars), Array("ðə".unicodeScalars)])
        #expect(same.map { $0?.isCertain } == [true, true])
        let other = PiperWordPlaces(merged).places(of: [Array("ɒf".unicodeScalars), Array("zə".unicodeScalars)])
        #expect(other.first??.isCertain == false)
    }
}
