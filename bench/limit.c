/* How fast random games of 5211 can be: the algorithm of five211.fast's random_games, in C.

   The same streams, the same packing, the same tricks; compiled with the number of players as a
   constant (-DN=4), so that every loop over seats is unrolled. bench/fast.py compiles it with
   gcc -O3 -march=native, checks that its games are the same, and compares the two.

   limit DECK_KEY CHOICE_KEY GAMES SECONDS
   prints the sum over all games of a hash of points and winners, and the best games a second. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

#define GAMMA 0x9E3779B97F4A7C15ULL
#define ASIDE (N == 2 ? 10 : N == 3 ? 13 : N == 4 ? 0 : 15)
#define ROUNDS ((100 - ASIDE - 5 * N) / (4 * N) + 1)
#define LIMIT (N + 3)
#define EXACT (N + 2)
#define BELOW(word, n) ({ u128 p_ = (u128)(word) * (u64)(n); (word) = (u64)p_; (u64)(p_ >> 64); })
#define DRAW(word) ({ u64 j_ = BELOW(word, left), c_ = deck[j_]; deck[j_] = deck[--left]; c_; })

static u64 WORDS[32];     /* what a card adds to the word of the seat that lays it */
static uint8_t DECK[104];

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* The byte of the seats' words that scores: a colour's, the icons' (5), or an empty one (6). */
static inline unsigned scoring(u64 counts) {
    unsigned once = 0, twice = 0;
    for (int c = 0; c < 5; c++) {
        unsigned bit = 1u << ((counts >> (8 * c)) & 31);
        twice |= once & bit;
        once |= bit;
    }
    unsigned alone = once & ~twice & ((1u << LIMIT) - 2);
    unsigned most = 31 - __builtin_clz(alone | 1);
    u64 apart = (counts & 0xFFFFFFFFFFULL) ^ (most * 0x0101010101ULL);
    u64 equal = (apart - 0x0101010101ULL) & ~apart & 0x8080808080ULL;
    unsigned color = (unsigned)__builtin_ctzll(equal | (1ULL << 47)) >> 3;
    return ((counts >> 40) & 255) == EXACT ? 5 : alone ? color : 6;
}

static inline void add(u64 *totals, const u64 *words, u64 *outcomes) {
    u64 counts = 0;
    for (int s = 0; s < N; s++) counts += (words[s] >> 5) & 0x070707070707ULL;
    unsigned byte = scoring(counts);
    *outcomes += 1ULL << (byte < 5 ? 16 : byte == 5 ? 0 : 32);
    for (int s = 0; s < N; s++) {
        u64 x = (words[s] >> (8 * byte)) & 255;
        totals[s] += ((x & 31) << 16) + (x >> 5);
    }
}

static void play(u64 deck_key, u64 choice_key, u64 first, u64 games, uint16_t *points,
                 uint8_t *winners, uint16_t *results) {
    for (u64 g = 0; g < games; g++) {
        uint8_t deck[104];
        memcpy(deck, DECK, 104);
        u64 state = mix(deck_key + (first + g) * GAMMA), choice = mix(choice_key + (first + g) * GAMMA);
        u64 hands[N], words[N], totals[N], choosing[N], drawing[N], outcomes = 0, left = 100;
        for (int s = 0; s < N; s++) {
            u64 word = mix(state += GAMMA), hand = 0;
            for (int i = 0; i < 5; i++) hand |= DRAW(word) << (8 * i);
            hands[s] = hand;
            totals[s] = 0;
        }
        for (int r = 0; r < ROUNDS - 1; r++) {
            for (int s = 0; s < N; s++) {
                u64 word = mix(choice += GAMMA), random = mix(state += GAMMA), hand = hands[s];
                u64 i = BELOW(word, 5), j = BELOW(word, 4);
                j += j >= i;
                i *= 8;
                j *= 8;
                u64 one = (hand >> i) & 255, two = (hand >> j) & 255;
                words[s] = WORDS[one] + WORDS[two];
                u64 new = DRAW(random), newer = DRAW(random);
                hands[s] = hand ^ ((one ^ new) << i) ^ ((two ^ newer) << j);
                choosing[s] = word;
                drawing[s] = random;
            }
            for (int turn = 1; turn < 3; turn++)
                for (int s = 0; s < N; s++) {
                    u64 hand = hands[s], i = BELOW(choosing[s], 5) * 8, one = (hand >> i) & 255;
                    words[s] += WORDS[one];
                    hands[s] = hand ^ ((one ^ DRAW(drawing[s])) << i);
                }
            add(totals, words, &outcomes);
        }
        for (int s = 0; s < N; s++) {
            u64 word = mix(choice += GAMMA), hand = hands[s], laid = 0;
            for (int held = 5; held > 1; held--) {
                u64 i = BELOW(word, held) * 8, lower = (1ULL << i) - 1;
                laid += WORDS[(hand >> i) & 255];
                hand = (hand & lower) | ((hand >> 8) & ~lower);
            }
            words[s] = laid;
        }
        add(totals, words, &outcomes);
        u64 most = 0, won = 0;
        for (int s = 0; s < N; s++) most = totals[s] > most ? totals[s] : most;
        for (int s = 0; s < N; s++) {
            won |= (u64)(totals[s] == most) << s;
            points[g * N + s] = totals[s] >> 16;
        }
        winners[g] = won;
        for (int k = 0; k < 3; k++) results[3 * g + k] = (outcomes >> (16 * k)) & 0xFFFF;
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int count, char **given) {
    if (count != 5) return 2;
    u64 deck_key = strtoull(given[1], 0, 10), choice_key = strtoull(given[2], 0, 10);
    u64 games = strtoull(given[3], 0, 10), sum = 0;
    double until = now() + strtod(given[4], 0), best = 1e9;
    const int copies[6] = {5, 6, 5, 2, 1, 1};
    int at = 0;
    for (int color = 0; color < 5; color++)
        for (int value = 1; value <= 6; value++) {
            int card = color * 6 + value - 1;
            WORDS[card] = ((u64)value + 32) << (8 * color);
            if (value == 1) WORDS[card] += 33ULL << 40;
            for (int k = 0; k < copies[value - 1]; k++) DECK[at++] = card;
        }
    uint16_t *points = malloc(games * N * 2), *results = malloc(games * 6);
    uint8_t *winners = malloc(games);
    play(deck_key, choice_key, 0, games, points, winners, results);
    for (u64 g = 0; g < games; g++) {
        u64 hash = winners[g];
        for (int s = 0; s < N; s++) hash = hash * 1009 + points[g * N + s];
        for (int k = 0; k < 3; k++) hash = hash * 1009 + results[3 * g + k];
        sum += hash;
    }
    for (u64 first = games; now() < until; first += games) {
        double began = now();
        play(deck_key, choice_key, first, games, points, winners, results);
        double took = now() - began;
        best = took < best ? took : best;
    }
    printf("%" PRIu64 " %.0f\n", sum, games / best);
    return 0;
}
