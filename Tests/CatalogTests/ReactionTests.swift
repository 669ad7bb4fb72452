import Testing

@testable import Catalog

/// What people type as a reaction and in a chat at work, and the built-in GIFs that fit: English and German, emoji, shortcodes, kaomoji,
/// and near misses, where nothing ("-") is better than a wrong GIF.
@Suite("Reactions at work") struct ReactionTests {
    /// Queries, separated by commas, and the GIFs of which one must be the first result. "-": nothing may be found.
    private static let table = #"""
        lgtm, LGTM!, approved, looks good to me, sounds good, works for me, will do, on it, I'm on it: thumbs-up
        got it, roger that, ack, +1, :+1:, 👍, 👍🏽, :+1::skin-tone-3:, :thumbsup:, thumbs-up, thumbs_up: thumbs-up
        Daumen hoch, ok, okay, yes, yesss, yep, ja, agreed, done, fixed, resolved, nice, great, perfect: thumbs-up
        super, passt, erledigt, ✅, :white_check_mark:, 👌, no problem, kein Problem, not bad, you're welcome: thumbs-up
        np, no worries, all good, ready, true, exactly, it works, gute Idee, alles klar, kk, 👍👍👍, fantastic: thumbs-up
        fantastisch, wonderful, complete, 🚀 lgtm 🚀, lgtm 😂, LGTM 🔥🔥, lgtm :), ｌｇｔｍ, Ｌ Ｇ Ｔ Ｍ, **lgtm**: thumbs-up
        <b>lgtm</b>, lgtm..., _lgtm_, #lgtm, „lgtm“, +1 👀, verstanden, stimmt, läuft, mach ich, bin dran: thumbs-up
        wilco, green build, thumb up, thumbs%20up, jo, jaa, two thumbs up, approve, approved!, looks good: thumbs-up
        roger, I agree, makes sense, good point, tests pass, fertig, klar, na klar, genau, gern geschehen: thumbs-up
        alles gut, good, very good, yup, yess, yeees, jawohl: thumbs-up
        -1, :-1:, 👎, not cool, thumbs down, nicht gut, disagree, Daumen runter, not good, bad: thumbs-down shaking-no
        no, nope, nein, no way, ❌, no thanks, absolutely not, nein danke, denied, no thank you: shaking-no
        nope nope nope, no 👍, nooo 👍, nein ✅, abgelehnt, geht nicht, not yet, danke nein: shaking-no
        danke aber nein danke, thanks but no thanks, sorry no, ach nein, bitte nicht, nee, noo, no please: shaking-no
        please stop, nah, hard no, stop, wrong: shaking-no
        NO!!!, nooooo, :x:, hell no, never: shaking-no thumbs-down
        no idea, idk, i don't know, I don’t know, dunno, shrug, :shrug:, 🤷‍♀️, 🤷🏻, ¯\_(ツ)_/¯, keine Ahnung: shrug
        who knows, weiß nicht, works on my machine, maybe, kein Plan, [shrug], /shrug, *shrug*, shrug emoji: shrug
        shrug meme, shrug sticker, shrug reaction, 🤷, nvm: shrug
        whatever, seriously, meh, boring, :/, :-/, :|, -_-, na toll, im ernst, yeah right: eye-roll
        thanks for nothing, danke für nichts, 😮‍💨, really?, eyeroll, im Ernst: eye-roll
        never mind, why: shrug eye-roll thinking-face deal-with-it
        💯, :100:, 100, 100%, 10/10, one hundred, 100 emoji, hundert Prozent, 100 percent, hundert, facts: hundred
        table flip, rage quit, merge conflict, quitting, i quit, /tableflip: table-flip
        tableflip, (╯°□°)╯︵ ┻━┻, (╯°□°）╯︵ ┻━┻, (ノಠ益ಠ)ノ彡┻━┻, flip table, :table_flip:: table-flip angry-face facepalm
        popcorn, 🍿, :popcorn:, grab popcorn, movie night, Kino, eating popcorn, drama: popcorn
        ship it, shipit, :shipit:, ship it!!, shipped, deploy, deployed, deploying, release, merge: ship-it rocket
        merged, 🚢, :ship:, 🚀 ship it 🚀, 🚢 it, deploy 🎉, lets ship, deployment, merging, shipped it: ship-it rocket
        this is fine, thisisfine, :this-is-fine:, this-is-fine, everything is fine, it's fine, on fire: this-is-fine
        dumpster fire, prod is down, production down, outage, incident, deploy on friday, es brennt, sos: this-is-fine
        build failed, stressed, everything is broken, server is down, alles brennt, legacy code, error: this-is-fine
        it crashed, segfault, blue screen, it's always DNS, 🔥 this is fine 🔥, 🔥🔥🔥 this is fine: this-is-fine
        this is fine dog, this is fine hund, hotfix on friday, friday hotfix, failed deployment: this-is-fine
        deployment failed, everything is down, working on the weekend, alles kaputt, site down, hotfix: this-is-fine
        on call, tech debt: this-is-fine
        wow, whoa, mind blown, mindblown, 🤯, :exploding_head:, omg, oh my god, amazing: mind-blown shocked-face
        wahnsinn, epic, boom: mind-blown shocked-face
        hello, hi, moin, bye, tschüss, brb, bis morgen, welcome to the team, hi team, hello there: waving-hand
        goodbye, gtg, afk, good afternoon, guten Tag, bis gleich, :wave::skin-tone-4:, first day: waving-hand
        last day, liebe Grüße, viele Grüße, o/, hey Anna, welcome aboard Anna, good afternoon Vietnam: waving-hand
        hey team, cya, see you tomorrow, later, welcome aboard, schönen Feierabend, bin gleich da: waving-hand
        I'm back: waving-hand
        hey, hello world, hi all, hallo, servus, 👋, :wave:, see you later, welcome, willkommen: waving-hand coffee
        good morning, guten Morgen, coffee, ☕, ☕️, kaffee, coffee break, need coffee, monday, tea: coffee
        coffee please, Kaffee bitte, bitte Kaffee, Kaffee, kaffeepause, Montag, mondays: coffee
        thanks, thank you, thx, ty, thank you so much, thanks a lot!, danke, Danke schön, vielen Dank: folded-hands
        merci, please, bitte, 🙏, :pray:, sorry, sorry i'm late, good luck, viel Glück, fingers crossed: folded-hands
        thank you all, thanks team, tysm, forgive me, i'm sorry, sorry for the delay, ❤️ thank you ❤️: folded-hands
        <3 thanks, danke 😂😂, „danke“, sorry :(, thanks for fixing, danke für alles, danke für das Review: folded-hands
        danke fürs Kommen, thanks Anna, sorry about the noise yesterday evening: folded-hands
        thanks for the cat pictures, thanks for the coffee, danke schön, danke dir, ty!, thank u: folded-hands
        thanks a bunch, many thanks, pretty please, sry, sorry I'm late, entschuldigung, tut mir leid: folded-hands
        help, help me, hilfe, need help, please help: folded-hands this-is-fine
        Hilfe: folded-hands this-is-fine shocked-face
        friday, schönes Wochenende, weekend, party, 🎉, :tada:, celebrate, juhuu, tgif, wochenende: party-cat
        party time, let's party, juhu, promotion: party-cat
        TGIF, happy friday, freitag, feierabend, 🥳, hooray, party parrot: party-cat dancing-cat applause
        👀, :eyes:, eyes, taking a look, lurking, peek, ;-), ;), 🙈, ptal, eyes emoji, looking: peeking-cat
        Katze, Katzen, Kätzchen, cat, cats, dance, dances, dancing, danced, tanzen, 💃, dancing queen: dancing-cat
        cat on a keyboard, keyboard cat, dancing cats, tanzende Katze, happy dance, 🐈‍⬛, cute cat: dancing-cat
        really cute cat, dancing cat meme, cat video: dancing-cat
        congrats, congratulations, congrats on the launch, well done, good job, kudos, bravo, 👏, 👏🏿, :clap:: applause
        Glückwunsch, gut gemacht, applaus, nice work, great job team, 👏👏👏, super gemacht: applause
        herzlichen Glückwunsch, victory, champion, 🏆, hired, you're hired, great work, well played, gg, clap: applause
        happy birthday, Happy Birthday Anna!, birthday, 🎂, bday, hbd, Geburtstag: birthday-cake
        Alles Gute zum Geburtstag, cake, work anniversary, 🎉 happy birthday 🎉: birthday-cake
        🎉🎉 Happy Birthday Anna 🎉🎉, hapy birthday, happy bday, alles Gute: birthday-cake
        happy new year, frohes neues Jahr, fireworks, 🎆, new year: fireworks
        fired, broken heart, 💔: crying-face -
        crushed it, deal with it, 😎, cool, mic drop, like a boss, nailed it, awesome, you rock, legend: deal-with-it
        that worked: deal-with-it thumbs-up
        sleep, tired, 😴, good night, gute Nacht, müde, zzz, zzzzzz, bedtime, lazy, lazy cat: sleeping-cat
        gute Nacht Anna, exhausted: sleeping-cat
        haha, hahaha, hahahaha, lol, LOL, lolol, rofl, 😂, 🤣, :joy:, xd, lmao, so funny, made my day: laughing-face
        funny, it's so funny, sooo funny, rolling on the floor laughing, :D, 😅, cry laughing, i'm dead: laughing-face
        hahahahaha, hahahah, ahahaha, hehehehe, lololol, :-D, :-)), =D, =), :P, ^^, xDDD: laughing-face
        laughing emoji, lachendes Gesicht, lool, hehe, hilarious: laughing-face
        facepalm, 🤦, 🤦🏽‍♂️, smh, oops, my bad, fail, ups, :face_palm:, whoops, yikes, bruh, ugh, mist: facepalm
        verdammt: facepalm
        sad, crying, :((, :-(, :'(, :'-(((, T_T, </3, 🥲, autsch, crying emoji, sad face: crying-face
        weinendes Gesicht, trauriges Gesicht, tears, rip, schade, sad day: crying-face
        😭, :sob:, :(, traurig, don't cry: crying-face hug -
        angry, 😡, wütend, rage, argh, >:(, mad, grr: angry-face
        eye roll, 🙄, sigh: eye-roll shrug
        thinking, hmm, good question, great question, hä?, ??, ???, hmmm, question, huh: thinking-face
        🤔, hmmmm, let me think, confused, warum, interesting: thinking-face shrug
        hug, hugs, hugging, 🤗, Gute Besserung, get well soon, *hugs*, *hug*, (hugs), ~hugs~, gute Besserung: hug
        get well: hug
        high five, high-five, highfive, 🙌, :raised_hands:, fist bump, 🤝, you got this, teamwork, 💪: high-five
        keep going, motivation, flex, 🍻, hi five, nice one, cheers: high-five
        love, ❤️, <3, love it, <333, <3 <3, i <3 you, ❤️‍🔥, ❤️‍🩹, heart emoji, heart: beating-heart
        💜, i love you, ich liebe dich, 😍, heart eyes, :heart:, :heart_eyes:: beating-heart heart-eyes
        panic, oh no, what the hell, plot twist, 😱, shocked, wait what, what?, wtf, surprised, oh nein: shocked-face
        nervous, worried, :-O, o_O, O_o, wie bitte, echt jetzt, oh je, bitte was, was bitte: shocked-face
        surprised pikachu, O.o, what: shocked-face
        fire, 🔥, lit, you're on fire, Lagerfeuer, fire emoji, fire sticker, Feuer: campfire
        rocket, 🚀, :rocket:, let's go, to the moon, launch: rocket
        typing, 💻, 👨‍💻, coding, wip, working on it, code review, deadline, wfh, bugfix, bug fix, git push: typing
        focus, do not disturb, working from home, hackerman, pull request: typing
        dog, dogs, 🐶, good boy, Hund, puppy: happy-dog
        robot, 🤖, Roboter, good bot, ai: dancing-robot
        snow, Schnee, merry christmas, frohe Weihnachten, 🎄, ⛄, merry christmas Anna, snowman emoji, winter: snowman
        Weihnachten: snowman
        vacation, Urlaub, ooo, sunny, pto, guten Abend: sunset-waves
        beach, 🏖️, Feierabendbier: sunset-waves -
        rain, 🌧️, regen, 🌈, rainbow: city-rain rainbow-plasma
        Congrats!!!, black coffee, lgtm ship it, ship it already: applause coffee ship-it thumbs-up folded-hands -
        LGTM. Thanks: applause coffee ship-it thumbs-up folded-hands -
        not happy, not funny, no coffee, don't panic, never again, without love, kein Kaffee, nicht lustig: -
        not fine, can't sleep, stop crying, grumpy cat, sad puppy, crying robot, red alert, +1000, 404, 10 4: -
        good grief, code freeze, not approved, not working, does not work, nothing works, rollback, car, plan: -
        plane, star trek, hell, rock, build, part, bus, made it, later today, huge, wine, note, ear, app, for, can: -
        pen, test, standup, meeting, lunch, pizza, beer, 🍕, 🇩🇪, ?, ..., ( ͡° ͜ʖ ͡°), it, the, not happy 😂: -
        🎉 not fine 🎉, retro, 1000, 🍕🍕🍕, 💀, traurige Katze, weinende Katze, wütende Katze, tote Katze: -
        trauriger Hund, toter Hund, böser Hund, kranker Hund, schlafender Hund, kaputter Roboter, tanzender Hund: -
        lachender Roboter, böse Katzen, dead cat, dying cat, drunk cat, cat on fire, cat fail, dead dog, dog bite: -
        hot dog, broken robot, evil robot, rocket crash, rocket fail, zombie cat, cat attack, dog fight: -
        robot uprising, cat scan, party is over, party pooper, party crash, weekend is over, birthday is over: -
        Freitag der 13., party vorbei, love is dead, no birthday, wochenende kaputt, sinking ship, abandon ship: -
        ship sinks, heart attack, 🐻‍❄️, 🐦‍🔥, 🧑‍🍳, xxx, xxxxxxx, let's go home, silvester stallone, rain check: -
        earth quake, breaking, cooling, rain man, cool down, snow white, house fire, fire drill, earth is flat: -
        beach party, rainbow six, sleep deprived, shock wave, poker face, angry dog, laughing cat, ok boomer, boot: -
        hoop, 2 many cats, thanks I hate it, thank you no, i love you not, sorry not sorry, congrats you failed: -
        thanks robot, roll back, revert, rebase, broken, blocked, blocker, stuck, flaky test, regression, git blame: -
        nit, meetings, another meeting, this could have been an email, you're on mute, can you hear me, zoom, teams: -
        sprint, backlog, jira, planning, not a bug, waiting, still waiting, loading, slow, late, tuesday: -
        hungry hippo, save me, do it, same, this, f, nice try, in a meeting, one sec, aproved, thansk, congrtas: -
        facpalm, popcron, birtday, coffe, depoly, firday, mrege, train, scatter, selfish, catalog, category: -
        education, location, copycat, dogma, hotdog, underdog, thug, relationship, leadership, shipment, partial: -
        apart, department, emerge, submerge, redeploy, weekly, helpdesk, peach, peep, cryptic, crypto, firewall: -
        firefox, pocket, guidance, gedanke, yesterday, eyesore, noon, know, nowhere, badge, 10, unicorn, catering: -
        whelp, friday afternoon, monday blues, rocket league: -
        sad cat, deploy failed, high score, mind the gap, deal breaker: facepalm this-is-fine crying-face -
        happy hour, red button, this is the way, rolling back, no comment: facepalm this-is-fine crying-face -
        is it you, what a mess, job interview, hot fix: facepalm this-is-fine crying-face -
        vielleicht, not sure, it depends, :man-shrugging:, ¯\_(ツ)_/¯ no idea: shrug thinking-face
        success, yay: applause party-cat high-five
        yaaay, woohoo: applause party-cat birthday-cake high-five
        deploy to prod, release day, merged!, shipping: ship-it
        car park, plan b, star wars, rock and roll, winter is coming, cap, spa, come, pan, hum, ass, bee: snowman -
        cut, one, even: snowman -
        smart: mind-blown
        schlafende Katze, müde Katze, müder Kater, müdes Kätzchen, tired cat: sleeping-cat -
        🏳️‍🌈: rainbow-plasma
        welcome to the jungle, congrats to the winners of the cake contest: waving-hand applause
        lets gooo: rocket ship-it
        bug, bugs, stress, emergency: this-is-fine typing facepalm
        sweet: heart-eyes thumbs-up
        """#

    @Test("The first built-in GIF for a reaction fits it, or there is none")
    func reactions() { expectFirstSamples(of: sampleRows(Self.table), atLeast: 1070) }

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

    @Test("Mistyped words are offered in the right spelling, and nothing plays for them")
    func mistakes() {
        for (typed, meant) in [
            ("popcron", "popcorn"), ("coffe", "coffee"), ("birtday", "birthday"), ("facpalm", "facepalm"),
        ] {
            #expect(SampleSearch().similarTerms(to: typed).contains(meant), "\(typed)")
        }
    }

    @Test("A text matches a query by its words and their inflected forms, not by parts of words")
    func matcher() {
        for (query, text, isMatch) in [
            ("rain", "Train", false), ("rain", "Rain", true), ("cats", "A cat", true), ("dance", "dancing", true),
            ("birthday c", "Birthday cake", true), ("deal w", "Deal with it", true), ("c", "cat", false),
            ("fish", "selfish", false), ("the cat", "cat", true), ("ice cat", "cat", false), ("", "cat", false),
        ] as [(String, String, Bool)] {
            #expect(TermMatcher(query).matches([text]) == isMatch, "\(query), \(text)")
        }
        #expect(TermMatcher("the dancing CATS 100%").beginnings == ["danc", "cat", "10"])
        #expect(TermMatcher("kätzchen 猫 👀").beginnings == ["k"])
    }
}
