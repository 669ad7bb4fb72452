#include "CSamples.h"

/* Embeds the GIFs of Samples/ with #embed (C23), so that the binary needs no other files. The list of these GIFs is
 * Samples/catalogue.inc, which scripts/samples/make writes. This file names each GIF again, because #embed does not
 * accept a macro with a stringised argument. */

static const unsigned char dancing_cat[] = {
#embed "../../Samples/dancing-cat.gif"
};
static const unsigned char angry_face[] = {
#embed "../../Samples/angry-face.gif"
};
static const unsigned char applause[] = {
#embed "../../Samples/applause.gif"
};
static const unsigned char aquarium[] = {
#embed "../../Samples/aquarium.gif"
};
static const unsigned char beating_heart[] = {
#embed "../../Samples/beating-heart.gif"
};
static const unsigned char birthday_cake[] = {
#embed "../../Samples/birthday-cake.gif"
};
static const unsigned char bouncing_ball[] = {
#embed "../../Samples/bouncing-ball.gif"
};
static const unsigned char campfire[] = {
#embed "../../Samples/campfire.gif"
};
static const unsigned char city_rain[] = {
#embed "../../Samples/city-rain.gif"
};
static const unsigned char coffee[] = {
#embed "../../Samples/coffee.gif"
};
static const unsigned char crying_face[] = {
#embed "../../Samples/crying-face.gif"
};
static const unsigned char dancing_robot[] = {
#embed "../../Samples/dancing-robot.gif"
};
static const unsigned char deal_with_it[] = {
#embed "../../Samples/deal-with-it.gif"
};
static const unsigned char eye_roll[] = {
#embed "../../Samples/eye-roll.gif"
};
static const unsigned char facepalm[] = {
#embed "../../Samples/facepalm.gif"
};
static const unsigned char fireworks[] = {
#embed "../../Samples/fireworks.gif"
};
static const unsigned char folded_hands[] = {
#embed "../../Samples/folded-hands.gif"
};
static const unsigned char happy_dog[] = {
#embed "../../Samples/happy-dog.gif"
};
static const unsigned char heart_eyes[] = {
#embed "../../Samples/heart-eyes.gif"
};
static const unsigned char high_five[] = {
#embed "../../Samples/high-five.gif"
};
static const unsigned char hug[] = {
#embed "../../Samples/hug.gif"
};
static const unsigned char hundred[] = {
#embed "../../Samples/hundred.gif"
};
static const unsigned char laughing_face[] = {
#embed "../../Samples/laughing-face.gif"
};
static const unsigned char mind_blown[] = {
#embed "../../Samples/mind-blown.gif"
};
static const unsigned char party_cat[] = {
#embed "../../Samples/party-cat.gif"
};
static const unsigned char peeking_cat[] = {
#embed "../../Samples/peeking-cat.gif"
};
static const unsigned char pixel_slime[] = {
#embed "../../Samples/pixel-slime.gif"
};
static const unsigned char popcorn[] = {
#embed "../../Samples/popcorn.gif"
};
static const unsigned char rainbow_plasma[] = {
#embed "../../Samples/rainbow-plasma.gif"
};
static const unsigned char rocket[] = {
#embed "../../Samples/rocket.gif"
};
static const unsigned char shaking_no[] = {
#embed "../../Samples/shaking-no.gif"
};
static const unsigned char ship_it[] = {
#embed "../../Samples/ship-it.gif"
};
static const unsigned char shocked_face[] = {
#embed "../../Samples/shocked-face.gif"
};
static const unsigned char shrug[] = {
#embed "../../Samples/shrug.gif"
};
static const unsigned char sleeping_cat[] = {
#embed "../../Samples/sleeping-cat.gif"
};
static const unsigned char snowman[] = {
#embed "../../Samples/snowman.gif"
};
static const unsigned char spinning_earth[] = {
#embed "../../Samples/spinning-earth.gif"
};
static const unsigned char sunset_waves[] = {
#embed "../../Samples/sunset-waves.gif"
};
static const unsigned char table_flip[] = {
#embed "../../Samples/table-flip.gif"
};
static const unsigned char thinking_face[] = {
#embed "../../Samples/thinking-face.gif"
};
static const unsigned char this_is_fine[] = {
#embed "../../Samples/this-is-fine.gif"
};
static const unsigned char thumbs_down[] = {
#embed "../../Samples/thumbs-down.gif"
};
static const unsigned char thumbs_up[] = {
#embed "../../Samples/thumbs-up.gif"
};
static const unsigned char typing[] = {
#embed "../../Samples/typing.gif"
};
static const unsigned char waving_hand[] = {
#embed "../../Samples/waving-hand.gif"
};

static const struct gifplay_sample gifplay_samples[] = {
#define SAMPLE(identifier, name, title, tags) {name, title, tags, identifier, sizeof identifier},
#include "../../Samples/catalogue.inc"
#undef SAMPLE
};

const size_t gifplay_sample_count = sizeof gifplay_samples / sizeof *gifplay_samples;

const struct gifplay_sample *gifplay_sample_at(size_t index) { return &gifplay_samples[index]; }
