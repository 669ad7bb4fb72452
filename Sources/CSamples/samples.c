#include "CSamples.h"

/* Embeds the GIFs of Samples/ with #embed (C23), so that the binary needs no other files. The list of these GIFs is
 * Samples/catalogue.inc, which scripts/samples/make writes. This file names each GIF again, because #embed does not
 * accept a macro with a stringised argument. */

static const unsigned char dancing_cat[] = {
#embed "../../Samples/dancing-cat.gif"
};
static const unsigned char aquarium[] = {
#embed "../../Samples/aquarium.gif"
};
static const unsigned char beating_heart[] = {
#embed "../../Samples/beating-heart.gif"
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
static const unsigned char dancing_robot[] = {
#embed "../../Samples/dancing-robot.gif"
};
static const unsigned char fireworks[] = {
#embed "../../Samples/fireworks.gif"
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
static const unsigned char rainbow_plasma[] = {
#embed "../../Samples/rainbow-plasma.gif"
};
static const unsigned char sleeping_cat[] = {
#embed "../../Samples/sleeping-cat.gif"
};
static const unsigned char spinning_earth[] = {
#embed "../../Samples/spinning-earth.gif"
};
static const unsigned char sunset_waves[] = {
#embed "../../Samples/sunset-waves.gif"
};
static const unsigned char thumbs_up[] = {
#embed "../../Samples/thumbs-up.gif"
};

static const struct gifplay_sample gifplay_samples[] = {
#define SAMPLE(identifier, name, title, tags) {name, title, tags, identifier, sizeof identifier},
#include "../../Samples/catalogue.inc"
#undef SAMPLE
};

const size_t gifplay_sample_count = sizeof gifplay_samples / sizeof *gifplay_samples;

const struct gifplay_sample *gifplay_sample_at(size_t index) { return &gifplay_samples[index]; }
