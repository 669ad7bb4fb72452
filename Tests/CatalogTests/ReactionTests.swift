import Testing

@testable import Catalog

/// What people type as a reaction at work, and the built-in GIFs that fit: English and German, emoji, shortcodes, kaomoji,
/// and near misses, where nothing ("-") is better than a wrong GIF.
@Suite("Reactions at work") struct ReactionTests {
    /// Queries, separated by commas, and the GIFs of which one must be the first result. "-": nothing may be found.
    private static let table = #"""
        lgtm, LGTM!, approved, looks good to me, sounds good, works for me, will do, on it, I'm on it: thumbs-up
        got it, roger that, ack: thumbs-up
        +1, :+1:, 👍, 👍🏽, :+1::skin-tone-3:, :thumbsup:, thumbs-up, thumbs_up, Daumen hoch, ok, okay: thumbs-up
        yes, yesss, yep, ja, agreed: thumbs-up
        done, fixed, resolved, nice, great, perfect, super, passt, erledigt, ✅, :white_check_mark:, 👌: thumbs-up
        no problem, kein Problem: thumbs-up
        not bad, you're welcome, np: thumbs-up
        -1, :-1:, 👎, not cool, thumbs down, nicht gut, disagree: thumbs-down shaking-no
        no, NO!!!, nope, nein, no way, nooooo, ❌, :x:, hell no, no thanks, never: shaking-no thumbs-down
        no idea, idk, i don't know, I don’t know, dunno, shrug, :shrug:, 🤷‍♀️, 🤷🏻, ¯\_(ツ)_/¯: shrug
        keine Ahnung, who knows, weiß nicht: shrug
        works on my machine, whatever, never mind, why: shrug eye-roll thinking-face deal-with-it
        💯, :100:, 100, 100%, 10/10, one hundred: hundred
        table flip, tableflip, (╯°□°)╯︵ ┻━┻, (╯°□°）╯︵ ┻━┻, (ノಠ益ಠ)ノ彡┻━┻: table-flip angry-face facepalm
        flip table, :table_flip:, rage quit, merge conflict: table-flip angry-face facepalm
        popcorn, 🍿, :popcorn:, grab popcorn, movie night, Kino: popcorn
        ship it, shipit, :shipit:, ship it!!, shipped, deploy, deployed, deploying, release: ship-it rocket
        merge, merged, 🚢, :ship:: ship-it rocket
        this is fine, thisisfine, :this-is-fine:, this-is-fine, everything is fine, it's fine: this-is-fine
        on fire, dumpster fire, prod is down, production down, outage, incident, deploy on friday: this-is-fine
        es brennt: this-is-fine
        wow, whoa, mind blown, mindblown, 🤯, :exploding_head:, omg, oh my god, amazing: mind-blown shocked-face
        wahnsinn: mind-blown shocked-face
        hello, hi, hey, hello world, hi all, hallo, moin, servus, good morning, guten Morgen: waving-hand coffee
        👋, :wave:, bye, tschüss, brb, see you later, welcome, willkommen, bis morgen: waving-hand coffee
        thanks, thank you, thx, ty, thank you so much, thanks a lot!, danke, Danke schön: folded-hands
        vielen Dank, merci, please, bitte, 🙏, :pray:, sorry, sorry i'm late, good luck, viel Glück: folded-hands
        fingers crossed: folded-hands
        help, Hilfe, sos: folded-hands this-is-fine shocked-face
        friday, TGIF, happy friday, freitag, feierabend, schönes Wochenende: party-cat dancing-cat applause
        weekend, party, 🎉, :tada:, 🥳, hooray, party parrot: party-cat dancing-cat applause
        👀, :eyes:, eyes, taking a look, lurking, peek: peeking-cat
        Katze, Katzen, Kätzchen, cat, cats, dance, dances, dancing, danced, tanzen, 💃: dancing-cat
        dancing queen, cat on a keyboard: dancing-cat
        congrats, congratulations, congrats on the launch, well done, good job, kudos, bravo, 👏, 👏🏿: applause
        :clap:, Glückwunsch, gut gemacht, applaus: applause
        happy birthday, Happy Birthday Anna!, birthday, 🎂, bday, hbd, Geburtstag: birthday-cake
        Alles Gute zum Geburtstag, cake, work anniversary: birthday-cake
        happy new year, frohes neues Jahr, fireworks, 🎆: fireworks
        fired, broken heart, 💔: crying-face -
        crushed it, that worked: deal-with-it thumbs-up
        coffee, ☕, ☕️, kaffee, coffee break, need coffee, monday, tea: coffee
        sleep, tired, 😴, good night, gute Nacht, müde, zzz, zzzzzz, bedtime: sleeping-cat
        haha, hahaha, hahahaha, lol, LOL, lolol, rofl, 😂, 🤣, :joy:, xd, lmao, so funny: laughing-face
        made my day: laughing-face
        facepalm, 🤦, 🤦🏽‍♂️, smh, oops, my bad, fail, ups, :face_palm:: facepalm
        sad, 😭, crying, :sob:, :(, traurig, don't cry: crying-face hug -
        angry, 😡, wütend, rage, argh: angry-face
        eye roll, 🙄, seriously, sigh, meh, boring: eye-roll shrug
        thinking, 🤔, hmm, hmmmm, let me think, good question, confused, warum, interesting: thinking-face shrug
        hug, hugs, hugging, 🤗, Gute Besserung, get well soon: hug
        high five, high-five, highfive, 🙌, :raised_hands:, fist bump, 🤝, you got this, teamwork, 💪: high-five
        love, ❤️, <3, 💜, i love you, love it, ich liebe dich, 😍, heart eyes, :heart:: beating-heart heart-eyes
        :heart_eyes:: beating-heart heart-eyes
        deal with it, 😎, cool, mic drop, like a boss, nailed it, awesome: deal-with-it
        panic, oh no, what the hell, plot twist, 😱, shocked, wait what: shocked-face
        fire, 🔥, lit, you're on fire, Lagerfeuer: campfire
        rocket, 🚀, :rocket:, let's go, to the moon, launch: rocket
        typing, 💻, 👨‍💻, coding, wip, working on it, code review, deadline, wfh: typing
        dog, dogs, 🐶, good boy, Hund, puppy: happy-dog
        robot, 🤖, Roboter, good bot: dancing-robot
        snow, Schnee, merry christmas, frohe Weihnachten, 🎄, ⛄: snowman
        vacation, Urlaub, ooo, beach, 🏖️, Feierabendbier: sunset-waves -
        rain, 🌧️, regen, 🌈, rainbow: city-rain rainbow-plasma
        Congrats!!!, black coffee, lgtm ship it: applause coffee ship-it thumbs-up folded-hands -
        ship it already, LGTM. Thanks: applause coffee ship-it thumbs-up folded-hands -
        not happy, not funny, no coffee, don't panic, never again, without love, kein Kaffee, nicht lustig: -
        not fine, can't sleep, stop crying: -
        sad cat, deploy failed, build failed, high score, mind the gap: facepalm this-is-fine crying-face -
        deal breaker, happy hour, red button, this is the way, rolling back: facepalm this-is-fine crying-face -
        no comment, is it you, what a mess, job interview, hot fix: facepalm this-is-fine crying-face -
        nice work, great job team, 👏👏👏, super gemacht, herzlichen Glückwunsch: applause
        thank you all, thanks team, tysm, forgive me, i'm sorry, sorry for the delay: folded-hands
        welcome to the team, hi team, hello there, goodbye, gtg, afk, good afternoon, guten Tag: waving-hand
        bis gleich, :wave::skin-tone-4:: waving-hand
        no worries, all good, ready, true, exactly, it works, gute Idee, alles klar, kk, 👍👍👍: thumbs-up
        absolutely not, nein danke, denied, no thank you, nope nope nope: shaking-no
        maybe, vielleicht, kein Plan, not sure, it depends, :man-shrugging:: shrug thinking-face
        ¯\_(ツ)_/¯ no idea: shrug thinking-face
        funny, it's so funny, sooo funny, rolling on the floor laughing, :D, 😅, cry laughing: laughing-face
        success, yay, yaaay, woohoo, celebrate: applause party-cat birthday-cake high-five
        stressed, everything is broken, server is down, alles brennt, legacy code: this-is-fine
        deploy to prod, release day, merged!, shipping: ship-it
        keyboard cat, dancing cats, tanzende Katze, happy dance: dancing-cat
        what?, wtf, surprised, oh nein: shocked-face
        grumpy cat, sad puppy, crying robot, red alert, +1000, 404, 10 4, good grief, code freeze: -
        not approved, not working, does not work, nothing works: -
        car park, plan b, star wars, rock and roll, winter is coming, cap, spa, come, pan, hum, ass: snowman -
        bee, cut, one, even: snowman -
        rollback, car, plan, plane, star trek, hell, rock, build, part, bus, made it, later today, huge, wine: -
        error, it crashed, segfault, blue screen, it's always DNS: this-is-fine
        victory, champion, 🏆, hired, you're hired: applause
        bugfix, bug fix, git push, focus, do not disturb, working from home, hackerman: typing
        i'm dead: laughing-face
        nervous, worried: shocked-face
        fantastic, fantastisch, wonderful, complete: thumbs-up
        smart: mind-blown
        keep going, motivation, flex, 🍻: high-five
        first day, last day: waving-hand
        lazy, lazy cat: sleeping-cat
        quitting, i quit: table-flip
        sunny: sunset-waves
        note, ear, app, for, can, pen, test, standup, meeting, lunch, pizza, beer, 🍕, 🇩🇪, ?, ..., ( ͡° ͜ʖ ͡°): -
        it, the: -
        🔥 this is fine 🔥, 🔥🔥🔥 this is fine: this-is-fine
        🚀 lgtm 🚀, lgtm 😂, LGTM 🔥🔥, lgtm :), ｌｇｔｍ, Ｌ Ｇ Ｔ Ｍ, **lgtm**, <b>lgtm</b>, lgtm..., _lgtm_, #lgtm, „lgtm“: thumbs-up
        +1 👀, verstanden, stimmt, läuft, mach ich, bin dran, wilco, green build: thumbs-up
        🎉 happy birthday 🎉, 🎉🎉 Happy Birthday Anna 🎉🎉, hapy birthday: birthday-cake
        🚀 ship it 🚀, 🚢 it, deploy 🎉: ship-it rocket
        ❤️ thank you ❤️, <3 thanks, danke 😂😂, „danke“, sorry :(: folded-hands
        <333, <3 <3, i <3 you: beating-heart
        hahahahaha, hahahah, ahahaha, hehehehe, lololol, :-D, :-)), =D, =), :P, ^^, xDDD: laughing-face
        :((, :-(, :'(, :'-(((, T_T, </3, 🥲, autsch: crying-face
        >:(: angry-face
        ;-), ;), 🙈, ptal: peeking-cat
        :/, :-/, :|, -_-, na toll, im ernst: eye-roll
        :-O, o_O, O_o, wie bitte, echt jetzt, oh je: shocked-face
        *hugs*, *hug*, (hugs), ~hugs~: hug
        [shrug], /shrug, *shrug*: shrug
        /tableflip: table-flip
        no 👍, nooo 👍, nein ✅, abgelehnt, geht nicht, not yet: shaking-no
        great question, hä?: thinking-face
        not happy 😂, 🎉 not fine 🎉, retro, 1000, 🍕🍕🍕, 💀: -
        this is fine dog, this is fine hund, hotfix on friday, friday hotfix, failed deployment: this-is-fine
        deployment failed, everything is down, working on the weekend, alles kaputt: this-is-fine
        traurige Katze, weinende Katze, wütende Katze, tote Katze, trauriger Hund, toter Hund, böser Hund: -
        kranker Hund, schlafender Hund, kaputter Roboter, tanzender Hund, lachender Roboter, böse Katzen: -
        schlafende Katze, müde Katze, müder Kater, müdes Kätzchen, tired cat: sleeping-cat -
        dead cat, dying cat, drunk cat, cat on fire, cat fail, dead dog, dog bite, hot dog, broken robot: -
        evil robot, rocket crash, rocket fail, zombie cat, cat attack, dog fight, robot uprising, cat scan: -
        party is over, party pooper, party crash, weekend is over, birthday is over, Freitag der 13., party vorbei: -
        love is dead, no birthday, wochenende kaputt, sinking ship, abandon ship, ship sinks, heart attack: -
        danke nein, danke aber nein danke, thanks but no thanks, sorry no, ach nein, bitte nicht: shaking-no
        bitte was, was bitte: shocked-face
        yeah right, thanks for nothing, danke für nichts, 😮‍💨: eye-roll
        liebe Grüße, viele Grüße, o/, hey Anna, welcome aboard Anna, good afternoon Vietnam: waving-hand
        hi five: high-five
        ❤️‍🔥, ❤️‍🩹: beating-heart
        🐈‍⬛: dancing-cat
        🏳️‍🌈: rainbow-plasma
        🐻‍❄️, 🐦‍🔥, 🧑‍🍳: -
        xxx, xxxxxxx, let's go home, silvester stallone, rain check, earth quake, breaking, cooling, rain man: -
        cool down, snow white, house fire, fire drill, earth is flat, beach party, rainbow six, sleep deprived: -
        shock wave, poker face, angry dog, laughing cat, ok boomer, boot, hoop, 2 many cats: -
        thanks I hate it, thank you no, i love you not, sorry not sorry, congrats you failed, thanks robot: -
        thanks for fixing, danke für alles, danke für das Review, danke fürs Kommen, thanks Anna: folded-hands
        sorry about the noise yesterday evening, thanks for the cat pictures, thanks for the coffee: folded-hands
        welcome to the jungle, congrats to the winners of the cake contest: waving-hand applause
        merry christmas Anna: snowman
        gute Nacht Anna: sleeping-cat
        shrug emoji, shrug meme, shrug sticker, shrug reaction: shrug
        heart emoji: beating-heart
        100 emoji, hundert Prozent, 100 percent: hundred
        eyes emoji: peeking-cat
        fire emoji, fire sticker: campfire
        laughing emoji, lachendes Gesicht, lool: laughing-face
        crying emoji, sad face, weinendes Gesicht, trauriges Gesicht: crying-face
        snowman emoji: snowman
        cute cat, really cute cat, dancing cat meme, cat video: dancing-cat
        coffee please, Kaffee bitte, bitte Kaffee: coffee
        thumb up, thumbs%20up, jo, jaa, two thumbs up: thumbs-up
        surprised pikachu, O.o: shocked-face
        ??, ???: thinking-face
        nee, noo, no please, please stop: shaking-no
        juhuu: party-cat
        """#

    @Test("The first built-in GIF for a reaction fits it, or there is none")
    func reactions() { expectFirstSamples(of: sampleRows(Self.table), atLeast: 500) }

    @Test("Each tag of a sample finds it")
    func ownTags() {
        for sample in Sample.all {
            for tag in sample.tags {
                let query = tag.first?.isLetter == true ? tag.replacing("-", with: " ") : tag
                #expect(SampleSearch().search(query).contains(sample), "\(tag)")
            }
        }
    }

    @Test("Other words are allowed only behind an opening")
    func partialHits() {
        #expect(SampleSearch().search("thanks for the old machine").first?.name == "folded-hands")
        #expect(SampleSearch().search(String(repeating: "x", count: 2_500)).isEmpty)
        for query in ["no coffee machine", "coffee robot", "red machine", "an old coffee machine in the attic"] {
            #expect(SampleSearch().search(query).isEmpty, "\(query)")
        }
    }

    @Test(
        "Inflected forms are recognised, and words that only look like them are not",
        arguments: [
            ("dancing", "dance", true), ("danced", "dance", true), ("dances", "dance", true), ("hugging", "hug", true),
            ("hoping", "hope", true), ("crying", "cry", true), ("parties", "party", true), ("snowing", "snow", true),
            ("hopping", "hop", true), ("hoping", "hop", false), ("made", "mad", false), ("huge", "hug", false),
            ("caring", "car", false), ("string", "str", false), ("bus", "busy", false), ("wine", "win", false),
        ])
    func forms(word: String, base: String, isForm: Bool) {
        #expect(QueryWords.forms(of: word).contains(base) == isForm)
    }

    @Test(
        "German endings count only before a noun",
        arguments: [
            ("traurige", "traurig"), ("trauriger", "traurig"), ("müdes", "müd"), ("tanzende", "tanzen"),
            ("schlafenden", "schlafen"),
        ])
    func germanForms(word: String, base: String) {
        #expect(QueryWords.forms(of: word, isBeforeNoun: true).contains(base))
        #expect(!QueryWords.forms(of: word).contains(base))
    }

    @Test("The built-in GIFs are the fallback of the services by the same rules")
    func repository() throws {
        #expect(try SampleRepository().search(SearchQuery("no idea"), page: nil).items.first?.id == "shrug")
        #expect(try SampleRepository().search(SearchQuery("not happy"), page: nil).items.isEmpty)
    }
}
