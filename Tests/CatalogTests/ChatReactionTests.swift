import Testing

@testable import Catalog

/// What people type in a chat at work, with the built-in GIFs of which one may come first; "-": none may. Beside
/// reactions, these are jokes about work, typing mistakes, and words that only contain the word for a GIF.
@Suite("Words of a chat at work") struct ChatReactionTests {
    private static let table = """
        lgtm, approve, approved!, looks good, +1, ok, okay, kk, roger, ack, got it, on it, I agree, makes sense: thumbs-up
        works for me, good point, tests pass, done, fertig, fixed, passt, läuft, klar, na klar, genau, jo: thumbs-up
        no problem, np, gern geschehen, alles gut, nice, good, very good, not bad, yup, yess, yeees, ja, jawohl: thumbs-up
        ship it, lets ship, deploy, deployed, deploying, deployment, merge, merged, merging, shipped it, 🚢: ship-it rocket
        rocket, let's go, lets gooo, to the moon, release, 🚀, :rocket:: rocket ship-it
        friday, tgif, weekend, wochenende, schönes Wochenende, party, party time, let's party, celebrate: party-cat
        🎉, :tada:, juhu, promotion: party-cat
        merge conflict, table flip, rage quit: table-flip
        brb, afk, gtg, hello, hi, moin, hey team, bye, cya, tschüss, bis morgen, see you tomorrow, later: waving-hand
        welcome aboard, schönen Feierabend, bin gleich da, I'm back: waving-hand
        help, help me, hilfe, need help, please help: folded-hands this-is-fine
        danke, danke schön, danke dir, thx, ty!, thank u, thanks a bunch, many thanks, bitte, pretty please: folded-hands
        sorry, sry, sorry I'm late, entschuldigung, tut mir leid, good luck, viel Glück, fingers crossed, 🙏: folded-hands
        popcorn, eating popcorn, 🍿, drama: popcorn
        100, 100%, 💯, hundert, facts: hundred
        👀, :eyes:, taking a look, looking: peeking-cat
        Katze, Katzen, cat, dance, happy dance, tanzen: dancing-cat
        dog, puppy, Hund: happy-dog
        prod is down, site down, outage, incident, hotfix, on call, tech debt, build failed, this is fine: this-is-fine
        bug, bugs, stress, emergency, sos: this-is-fine typing facepalm
        works on my machine, idk, dunno, no idea, keine Ahnung, kein Plan, weiß nicht, shrug, 🤷, maybe, nvm: shrug
        facepalm, my bad, oops, whoops, fail, yikes, bruh, ugh, mist, verdammt, 🤦: facepalm
        wow, omg, mind blown, mindblown, wahnsinn, epic, boom: mind-blown shocked-face
        wtf, what, wait what, panic, wie bitte: shocked-face
        no, nope, nah, no way, hard no, nein, no thanks, stop, wrong, geht nicht, ❌: shaking-no
        -1, 👎, Daumen runter, not good, bad: thumbs-down shaking-no
        disagree: shaking-no thumbs-down
        great work, good job, gut gemacht, kudos, well played, bravo, congratulations, Glückwunsch, gg, clap: applause
        success, yay: applause party-cat high-five
        high five, fist bump, you got this, nice one, cheers: high-five
        happy bday, birthday, Geburtstag, cake, alles Gute: birthday-cake
        coffee, Kaffee, ☕, need coffee, kaffeepause, monday, Montag, mondays, good morning, guten Morgen: coffee
        vacation, Urlaub, ooo, pto, guten Abend: sunset-waves
        good night, gute Nacht, tired, müde, zzz, exhausted: sleeping-cat
        lol, lmao, haha, hehe, funny, hilarious, 😂: laughing-face
        sad, crying, tears, rip, schade, sad day: crying-face
        angry, mad, rage, grr, wütend: angry-face
        hmm, hmmm, thinking, question, good question, huh: thinking-face
        really?, seriously, eyeroll, meh, boring, whatever, im Ernst: eye-roll
        love, love it, <3, heart, ❤️: beating-heart
        hug, hugs, gute Besserung, get well: hug
        nailed it, crushed it, mic drop, like a boss, cool, you rock, legend: deal-with-it
        code review, pull request, wip, wfh, deadline: typing
        fire, 🔥, Feuer: campfire
        robot, ai: dancing-robot
        new year: fireworks
        winter, snow, Weihnachten: snowman
        sweet: heart-eyes thumbs-up
        rollback, roll back, revert, rebase, broken, blocked, blocker, stuck, flaky test, regression, git blame, nit: -
        meeting, meetings, another meeting, this could have been an email, you're on mute, can you hear me, zoom, teams: -
        standup, retro, sprint, backlog, jira, planning, not a bug, waiting, still waiting, loading, slow, late: -
        tuesday, lunch, pizza, beer, hungry hippo, save me, do it, same, this, f, nice try, in a meeting, one sec: -
        aproved, thansk, congrtas, facpalm, popcron, birtday, coffe, depoly, firday, mrege: -
        train, scatter, selfish, catalog, category, education, location, copycat, dogma, hotdog, underdog, huge, thug: -
        relationship, leadership, shipment, partial, apart, department, emerge, submerge, redeploy, weekly, helpdesk: -
        peach, peep, cryptic, crypto, firewall, firefox, pocket, guidance, gedanke, yesterday, eyesore, noon, know: -
        nowhere, badge, 1000, 10, 404, unicorn, catering, whelp, friday afternoon, monday blues, rocket league: -
        """

    @Test("The first built-in GIF for a word fits it, or there is none")
    func words() { expectFirstSamples(of: sampleRows(Self.table), atLeast: 350) }

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
