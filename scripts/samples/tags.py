"""The search tags of each sample: in lower case, with hyphens inside tags of several words, ä as ae.

A sample fits if its tags cover the query, except for filler words such as "the", "very" and "emoji". Bars separate
up to three sections: openings, subjects, other tags. An opening fits also with an object behind it ("thanks" fits
"thanks for the review"). A subject also fits in its inflected forms ("hug" fits "hugging"); another tag does not
("cool" does not fit "cooling").
"""
TAGS = {
    "dancing-cat": "🐱 🐈 💃 🕺 cat kitty kitten katze katzen kaetzchen dancing dance dancer tanzen tanz disco 🐈‍⬛ "
        "dancing-queen keyboard-cat cat-on-a-keyboard cool-cat dance-floor crazy-cat fat-cat | tanzt music musik "
        "groove pet animal funny happy happy-dance party lustig kitties",
    "angry-face": "😠 😡 🤬 angry furious rage wuetend grumpy frustrated >:( hate angry-mob | mad anger annoyed "
        "annoying frustrating pissed jealous fight evil rant grr argh wut sauer genervt nervt that-sucks",
    "applause": "bravo congratulations congratulation congrats kudos glueckwunsch gratulation gratuliere well-done "
        "good-job great-job nice-job great-work good-work nice-work gut-gemacht super-gemacht gute-arbeit "
        "proud-of-you well-played herzlichen-glueckwunsch | 👏 applause clap applaus slow-clap awesome-work "
        "way-to-go hats-off standing-ovation round-of-applause | clapping yay woohoo cheer cheering hooray proud "
        "success ovation props impressive respect chapeau klatschen gg gj wp",
    "aquarium": "🐟 🐠 🐡 fish fisch fische goldfish aquarium coral reef fish-tank | underwater swim swimming "
        "schwimmen tropical sea ocean animal pet calm",
    "beating-heart": "love-you i-love-you ich-liebe-dich | ❤ 💓 💗 💖 💕 💞 💘 🧡 💛 💚 💙 💜 🖤 🤍 ♥ ♡ <3 love "
        "liebe ily valentine valentinstag love-it much-love kiss ❤️‍🔥 ❤️‍🩹 | heart herz red-heart beating beat "
        "heartbeat like kuss romance pulse xoxo lieben",
    "birthday-cake": "happy-birthday happy-anniversary alles-gute | 🎂 🍰 🧁 birthday bday hbd geburtstag cake "
        "kuchen torte anniversary work-anniversary alles-gute-zum-geburtstag hapy-birthday birthday-girl "
        "birthday-boy chocolate-cake cake-time | party happy celebrate celebration candles dessert yummy lecker food "
        "hungry hunger eat sweets congratulations yum",
    "bouncing-ball": "ball beach-ball | bounce bouncing bouncy toy jump play sport sports spielen",
    "campfire": "🔥 🏕 campfire bonfire lagerfeuer youre-on-fire you-are-on-fire | fire feuer flame flames camping "
        "camp lit burning burn tent cosy cozy warm",
    "city-rain": "🌧 ☔ 🌂 rain raining regen regnet heavy-rain rain-drops raindrops | rainy weather wetter storm wet "
        "umbrella skyline city stadt melancholy lofi",
    "coffee": "☕ 🍵 coffee kaffee espresso cappuccino caffeine koffein coffee-break kaffeepause need-coffee "
        "good-morning guten-morgen coffee-machine kaffeemaschine coffee-time coffee-addict | tea tee latte break "
        "pause breakfast fruehstueck mug cup cafe drink monday mondays montag morning wake-up",
    "crying-face": "😭 😢 😿 💔 :( cry crying sad traurig sob weinen im-sad so-sad miss-you </3 t_t 🥲 crying-baby | "
        "cries cried fired broken-heart tears unhappy upset depressed heartbroken lonely pain hurt feels rip schade "
        "heul traenen sobbing loudly-crying ouch autsch aua",
    "dancing-robot": "🤖 robot roboter bot good-bot beep-boop tanzen | android machine dance dancing sci-fi ai "
        "automation automated",
    "deal-with-it": "😎 sunglasses sonnenbrille like-a-boss mic-drop nailed-it crushed-it thug-life drop-the-mic "
        "you-rock rock-on | cool awesome swag boss badass smug yolo win winner winning smooth sassy confident legend "
        "nailed easy ez laessig krass geil mega hero",
    "eye-roll": "🙄 😒 😑 🥱 eyeroll augenrollen rolling-eyes oh-really :/ :| -_- na-toll im-ernst yeah-right "
        "ja-klar thanks-for-nothing danke-fuer-nichts 😮‍💨 thank-you-for-nothing | whatever bored boring annoyed "
        "sarcasm sarcastic meh seriously really sigh awkward yawn langweilig naja",
    "facepalm": "🤦 facepalm smh my-bad facepalming face-palm oh-man epic-fail double-facepalm | yikes oops ups "
        "hoppla whoops oopsie oof ugh fail failed disappointed embarrassed embarrassing mistake stupid shame cringe "
        "damn doh bruh peinlich mist verdammt",
    "fireworks": "happy-new-year frohes-neues-jahr frohes-neues guten-rutsch | 🎆 🎇 firework fireworks feuerwerk "
        "silvester neujahr new-year new-years-eve fireworks-show | celebrate celebration festival",
    "folded-hands": "thanks thank thankyou thx ty tysm danke dankeschoen merci gracias please bitte pls plz sorry "
        "sry entschuldigung thank-you vielen-dank tausend-dank many-thanks thanks-a-lot pretty-please "
        "good-luck viel-glueck viel-erfolg fingers-crossed | 🙏 🤞 pray appreciate-it much-appreciated | prayer "
        "praying namaste hope hopefully luck glueck beg begging grateful appreciated appreciate bless forgive "
        "amen help hilfe help-me please-help apologies verzeihung daumen-druecken tut-mir-leid",
    "happy-dog": "🐶 🐕 🐩 🦮 dog doggo doggy puppy pup hund hunde welpe corgi good-boy good-girl good-dog 🐕‍🦺 "
        "guter-hund braver-hund nice-dog | pet pets animal animals happy excited wag woof loyal cute suess",
    "heart-eyes": "😍 🥰 😻 🤩 herzaugen in-love love-this :* | hearts love adore verliebt aww cute kiss kisses "
        "gorgeous beautiful pretty flirt blush want sweet suess wunderschoen",
    "high-five": "🙌 🤝 🤜 🤛 👊 💪 hi5 high5 handshake teamwork fist-bump you-got-this you-can-do-it we-did-it "
        "we-got-this go-team great-team best-team raised-hands raising-hands nice-one hi-five | muscle friends "
        "buddy success cheers prost deal yay woot strong",
    "hug": "get-well get-well-soon gute-besserung miss-you | 🤗 🫂 hug hugs umarmung umarmen knuddeln knuddel cuddle "
        "snuggle thinking-of-you there-there hang-in-there feel-better sending-love mein-beileid sorry-for-your-loss "
        "hugs-and-kisses free-hugs group-hug virtual-hug big-hug warm-hug | pat comfort care condolences beileid "
        "friendship bff",
    "laughing-face": "😂 🤣 😆 😹 😅 lol laugh haha hehe hihi lolol rofl lmao lmfao joy xd :d lachen made-my-day "
        "funny crying-laughing laughing-crying cry-laughing laughing-so-hard rolling-on-the-floor-laughing hahah "
        "ahaha :p dad-joke | laughing laughter hilarious lustig witzig joke witz giggle humor humour grin smile "
        "happy fun ha :) 😀 😃 😄 😁 🙂 😊 ^^ lool",
    "mind-blown": "🤯 💥 exploding-head holy-cow oh-my-god oh-wow big-brain galaxy-brain mind-blowing blew-my-mind | "
        "wow whoa woah omg boom kaboom amazing amazed incredible speechless stunned astonished explode explosion "
        "genius shocked epic crazy insane wahnsinn unglaublich brilliant spectacular sprachlos eureka heureka",
    "party-cat": "happy-friday happy-weekend schoenes-wochenende | 🥳 🎉 🎊 party feier feiern tada friday freitag "
        "tgif weekend wochenende feierabend thank-god-its-friday party-time party-hat party-parrot "
        "endlich-wochenende its-friday lets-celebrate lets-party hell-yeah celebrate celebration cat katze | "
        "birthday hooray hurra juhu yay woohoo yippee promotion promoted confetti happy finally endlich festive",
    "peeking-cat": "👀 😺 🫣 peek peekaboo lurking lurk taking-a-look having-a-look cat 🙈 ptal please-take-a-look "
        "katze | peeking eyes kitten hide hiding shy curious sneaky spying wink 😉 ;) look looking watching guck "
        "kuckuck",
    "pixel-slime": "👾 🎮 slime pixel-art pixelart video-game | pixel pixelated hop hopping jump jumping monster "
        "game gaming 8-bit arcade blob",
    "rainbow-plasma": "🌈 rainbow regenbogen plasma psychedelic trippy hypnotic 🏳️‍🌈 | abstract colourful colorful "
        "colours colors bunt pride gradient",
    "rocket": "🚀 rocket rakete spaceship astronaut nasa lets-go to-the-moon lift-off blast-off take-off los-gehts "
        "go-live going-live we-are-live go-go-go here-we-go | go launch launched deploy release space fly flying "
        "science moon mars stars fast speed startup weltraum",
    "shaking-no": "❌ 🚫 🙅 🛑 no-way no-thanks no-thank-you nein-danke hell-no oh-hell-no not-today do-not-want "
        "dont-want absolutely-not auf-keinen-fall not-happening no-no nack not-yet geht-nicht stimmt-nicht "
        "danke-nein danke-aber-nein danke-aber-nein-danke thanks-but-no-thanks bitte-nicht 🙂‍↔️ :x: sorry-no "
        "no-sorry | no nope nein noe nah never niemals denied disagree stop refuse deny reject rejected wrong falsch "
        "eww ew gross disgust igitt abgelehnt nee ne nix",
    "shocked-face": "😱 😮 😲 😨 😰 🙀 panic panik shocked oh-no oh-nein oh-snap wait-what what-the-hell "
        "what-the-fuck plot-twist wie-bitte echt-jetzt oh-je holy-moly o_o surprised-pikachu shocked-pikachu "
        "bitte-was was-bitte o.o | scream terrified shock surprised surprise scared what wtf fear afraid scary "
        "horror gasp stare omg angst erschrocken unexpected unbelievable :o",
    "shrug": "🤷 ツ ¯ idk dunno no-idea no-clue i-dont-know dont-know keine-ahnung kein-plan weiss-nicht "
        "ich-weiss-nicht achselzucken who-knows not-sure beats-me dont-care never-mind nevermind nvm it-depends "
        "works-on-my-machine why-not man-shrugging woman-shrugging person-shrugging who-cares not-my-problem "
        "not-my-job nicht-mein-problem | shrugging maybe perhaps unsure clueless whatever why meh guess egal "
        "vielleicht confused idc depends",
    "sleeping-cat": "good-night gute-nacht schlaf-gut sleep-well | 😴 💤 🛌 😪 sleep sleepy sleeping schlafen tired "
        "muede nap bedtime goodnight zz zzz snooze cat katze katzen mued schlafend | schlaf exhausted erschoepft "
        "snore dream night nacht bed gn kitten calm",
    "snowman": "merry-christmas frohe-weihnachten happy-holidays | ⛄ ☃ ❄ 🎄 🎅 🌨 snow schnee schneemann christmas "
        "xmas weihnachten winter snow-day let-it-snow winter-wonderland schoene-weihnachten | snowing snowy schneit "
        "holidays cold freezing frozen ice kalt santa december merry snowflake weather advent brr",
    "spinning-earth": "🌍 🌎 🌏 earth erde globe earth-day | world welt planet worldwide global universe rotating "
        "spinning spin travel reise space",
    "sunset-waves": "schoenen-urlaub | 🌅 🌇 🏖 🏝 🌴 🌊 sunset sonnenuntergang beach strand vacation urlaub ferien "
        "pto ooo out-of-office time-off annual-leave good-evening guten-abend schoenen-abend guten-abend-zusammen | "
        "holiday sunrise dawn dusk sea meer ocean waves boat sailing summer sommer sun sonne calm relax relaxing "
        "chill nature natur abend",
    "thinking-face": "🤔 🧐 thinking think hmm hm nachdenken let-me-think good-question gute-frage i-wonder "
        "great-question ?? ??? | puzzled ponder wonder confused confusion question questions frage ❓ ❔ huh why "
        "warum curious maybe hesitate suspicious interesting interessant gruebel thoughts overthinking hae",
    "thumbs-down": "👎 -1 thumbsdown daumen-runter not-cool not-good not-great no-good nicht-gut thumb-down | "
        "dislike boo bad disagree disapprove reject lose loser schlecht buh terrible awful horrible",
    "thumbs-up": "👍 👌 ✅ ✔ ☑ 🆗 +1 thumbsup daumen-hoch sounds-good looks-good looks-good-to-me works-for-me "
        "will-do on-it im-on-it roger-that got-it copy-that makes-sense no-problem kein-problem no-worries not-bad "
        "nicht-schlecht of-course na-klar geht-klar alles-klar alles-gut all-good good-to-go youre-welcome "
        "you-are-welcome gern-geschehen my-pleasure you-bet for-sure yes-please oh-yes hell-yes it-works that-worked "
        "all-green well-said ok-hand good-point good-idea gute-idee white-check-mark heavy-check-mark "
        "tests-pass ci-is-green wilco mach-ich bin-dran laeuft-bei-dir build-is-green green-build thumb-up 🙂‍↕️ "
        "two-thumbs-up | lgtm yes yep yup yeah ja jep jawohl ok okay k kk ack roger good great nice like agree "
        "agreed approve approved gut super prima toll perfekt perfect excellent fine sure klar passt genehmigt done "
        "finished erledigt fertig fixed solved resolved confirmed exactly genau correct right true definitely works "
        "np yw gerne einverstanden ready thumb success thanks well-done copy verstanden stimmt laeuft jo",
    "typing": "💻 ⌨ programmer developer hacker working-on-it work-in-progress code-review pull-request home-office "
        "work-from-home | typing coding programming keyboard tastatur laptop type tippen code programmieren software "
        "computer deadline work working arbeit arbeiten busy job office email mail debug debugging refactor todo "
        "hacking homework study school wfh homeoffice wip refactoring review reviewing in-progress",
    "waving-hand": "hello hi hey bye goodbye hallo moin servus tschuess ciao hola welcome willkommen howdy farewell "
        "good-morning guten-morgen guten-tag good-afternoon good-bye see-you auf-wiedersehen welcome-back "
        "welcome-aboard liebe-gruesse viele-gruesse beste-gruesse schoene-gruesse | 👋 brb afk gtg hello-world "
        "see-you-later see-ya be-right-back bis-morgen bis-spaeter bis-bald bis-gleich bis-dann logging-off "
        "signing-off schoenen-feierabend new-hire im-back bin-gleich-da bin-wieder-da back-online o/ | wave waving "
        "winken greeting greetings gruss gruesse cya later morning gm sup yo ttyl leaving",
    "hundred": "💯 one-hundred hundred-percent hundred-points keep-it-100 hundertprozentig full-marks spot-on 10/10 "
        "perfect-score volle-punktzahl hundert-prozent 100-percent 100-prozent one-hundred-percent | 100 hundred "
        "hundert facts absolutely",
    "table-flip": "┻ ━ ╯ □ flip-table flip-the-table flip-a-table flipping-tables flips-table rage-quit i-quit "
        "merge-conflict (ノಠ益ಠ)ノ彡┻━┻ table-flipping | ° flip rage angry frustrated enough",
    "popcorn": "🍿 🎬 popcorn movie kino cinema movie-night grab-popcorn eating-popcorn this-is-getting-good "
        "movie-time kino-abend | film drama watching spannend gossip snack snacks entertainment",
    "ship-it": "🚢 🛳 ⛴ shipit ship schiff just-ship-it ship-to-prod deploy-to-prod deploying-to-prod release-day "
        "deploy merge | shipped shipping deployed deployment release released merged ausgeliefert ausliefern "
        "delivery delivered live docker container containers kubernetes cargo sail",
    "this-is-fine": "everything-is-fine its-fine im-fine on-fire dumpster-fire everything-is-on-fire "
        "everything-is-broken prod-down prod-is-down production-down production-is-down site-down site-is-down "
        "server-down server-is-down build-broken broken-build build-failed build-is-red ci-is-red tests-failing "
        "alles-brennt es-brennt houston-we-have-a-problem deploy-on-friday deploy-friday friday-deploy "
        "deploying-on-friday deploy-failed tech-debt technical-debt legacy-code legacy works-fine red-build "
        "build-is-broken this-is-fine-dog this-is-fine-hund hotfix-on-friday friday-hotfix working-on-the-weekend "
        "failed-deployment deployment-failed everything-is-down alles-kaputt | outage incident chaos disaster "
        "meltdown oncall on-call burnout crisis emergency notfall katastrophe stress stressed sos hotfix burning "
        "fire downtime bug bugs",
}
