import Testing

@testable import Catalog

/// The words that GIF apps list as reactions and categories, and the built-in GIFs that fit each of them.
///
/// Sources: the suggestions of a GIF picker for GIPHY and Riffsy (github.com/boom-army/boom-client,
/// src/constants/giphy-search-suggestions.js), of two others (bshyong/titan-web, app/config/gifpicker.js;
/// EdgarAirapetov/test, GiphyEmojiQuery.kt), the categories of nekos.best v2, and the names of GIPHY's main categories with
/// everyday words of the tags of Animated Noto Emoji.
@Suite("Words of GIF apps") struct WordListTests {
    /// Words, separated by commas, and the GIFs of which one must be the first result.
    private static let table = """
        agree, ok, like, thumbs up, win, you got this: thumbs-up beating-heart high-five deal-with-it
        applause, slow clap, congratulations, well done, proud, bravo: applause birthday-cake fireworks thumbs-up
        awww, in love, love, blush, want, cute: heart-eyes beating-heart hug happy-dog
        hearts, kiss, valentine: beating-heart heart-eyes
        dance, happy dance, music, disco: dancing-cat dancing-robot party-cat
        deal with it, cool, mic drop, yolo, boss, smug: deal-with-it
        do not want, no, nope, eww, stop: shaking-no thumbs-down
        eye roll, seriously, sigh, meh, bored, yawn, whatever, awkward: eye-roll facepalm shrug
        facepalm, smh, oops, fail, disappointed, cringe: facepalm
        fist bump, high five, handshake, friends: high-five hug
        good luck, please, thank you, sorry, pray, thanks, grateful: folded-hands thumbs-up
        hug, cuddle, pat: hug
        idk, shrug, why, dunno: shrug thinking-face
        omg, shocked, scared, oh snap, shock, surprised, what, wtf: shocked-face mind-blown shrug
        thumbs down, dislike, boo: thumbs-down shaking-no
        wink, shy, peek, lurk: peeking-cat
        yes: thumbs-up high-five
        excited, happy: happy-dog dancing-cat party-cat birthday-cake laughing-face heart-eyes
        mind blown, wow, amazing, genius: mind-blown fireworks
        celebrate, celebration, party, birthday, happy birthday: party-cat birthday-cake fireworks
        confused, think, hmm, thinking, curious, stare: thinking-face shrug peeking-cat shocked-face
        sad, cry, crying, miss you, heartbroken: crying-face hug
        crying laughing, lol, laugh, funny, smile, haha: laughing-face heart-eyes dancing-cat
        angry, mad, hate, jealous, rage, annoyed: angry-face eye-roll
        sleep, tired, good night: sleeping-cat
        wave, hello, hi, bye, goodbye, welcome, greetings, good morning: waving-hand peeking-cat coffee sunset-waves
        animals, cat, pet: dancing-cat happy-dog sleeping-cat
        dog, puppy, good boy: happy-dog
        coffee, breakfast, monday: coffee typing
        food, hungry, cake, eat: birthday-cake coffee
        work, typing, computer, busy, coding, deadline: typing
        rocket, space, science, moon: rocket spinning-earth sleeping-cat
        snow, winter, christmas, holidays, cold: snowman
        weather, rain: city-rain snowman
        nature, fish: aquarium spinning-earth sunset-waves campfire
        fire, lit: campfire
        beach, summer, ocean, sunset: sunset-waves aquarium bouncing-ball
        gaming, pixel art, jump: pixel-slime bouncing-ball
        sports, ball: bouncing-ball
        robot, sci-fi: dancing-robot
        new year, fireworks, explosion: fireworks mind-blown
        rainbow, abstract, trippy: rainbow-plasma
        earth, travel, world: spinning-earth
        popcorn: popcorn
        nod, sick, feed, handhold, kick, poke, punch, run, slap, tickle, shoot, yeet, bite, team, anime, fashion, politics, dinosaur, beer, pizza: -
        """

    private static let rows = sampleRows(table)

    @Test("At least 120 of 150 everyday words find a fitting built-in GIF; the others are listed")
    func words() {
        #expect(Self.rows.count >= 150 && Set(Self.rows.map(\.query)).count == Self.rows.count)
        var misses: [String] = []
        for (word, names) in Self.rows {
            guard let first = SampleSearch().search(word).first, names.contains(first.name) else {
                misses.append(word)
                continue
            }
        }
        let expected = Self.rows.filter { $0.names == ["-"] }.map(\.query)
        #expect(misses == expected)
        #expect(Self.rows.count - misses.count >= 120)
    }

    @Test(
        "The beginning of a last word finds the GIFs that have it, those with such a title first",
        arguments: [
            ("dan", "dancing-cat"), ("danci", "dancing-cat"), ("happ", "happy-dog"), ("sleeping ca", "sleeping-cat"),
            ("d", "dancing-cat"), ("x", nil), ("xyz", nil), ("sleeping xy", nil), ("", nil), ("hi", "waving-hand"),
        ])
    func beginnings(query: String, name: String?) {
        #expect(SampleSearch().typed(query).first?.name == name)
    }

    @Test(
        "A query of several words is found while it is typed, and stop words count",
        arguments: [
            ("birthday c", "Birthday cake"), ("heart e", "Heart eyes"), ("sunset o", "Sunset over the waves"),
            ("deal w", "Deal with it"), ("deal with", "Deal with it"), ("party c", "Party cat"),
            ("crying with l", "Crying with laughter"), ("high f", "High five"), ("eye r", "Eye roll"),
            ("fireworks over the", "Fireworks over the town"), ("mind b", "Mind blown"),
        ])
    func typing(query: String, title: String) { #expect(SampleSearch().typed(query).first?.title == title) }

    @Test("Each letter of its title finds a built-in GIF", arguments: Sample.all.map(\.title))
    func everyLetter(title: String) {
        for count in 1...title.count {
            #expect(SampleSearch().typed(String(title.prefix(count))).contains { $0.title == title }, "\(count)")
        }
    }

    @Test("Each built-in GIF is the first result for its own name", arguments: Sample.all.map(\.name))
    func ownName(name: String) {
        #expect(SampleSearch().search(name.replacing("-", with: " ")).first?.name == name)
    }
}
