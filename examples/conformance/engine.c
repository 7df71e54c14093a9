/* An engine that speaks bgcore's line protocol and offers one word of it: the plays of a roll. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int found[4000][26], count, best; /* final boards, and how good a use of the dice they are */

static void keep(const int *b, int rank) { /* most dice; of single dice the larger */
    if (rank > best) { best = rank; count = 0; }
    if (rank < best || rank < 8) return;
    for (int i = 0; i < count; i++) if (!memcmp(found[i], b, sizeof found[i])) return;
    memcpy(found[count++], b, sizeof found[0]);
}

static void play(const int *b, const int *dice, int left, int used) {
    int moved = 0, high = 25; /* b: 26 counts seen by the player on roll; [25] his bar, [0] the opponent's */
    while (high && b[high] <= 0) high--;
    for (int from = high, to; from > (b[25] ? 24 : 0) && left; from--) {
        int a[26];
        to = from - *dice;
        if (b[from] <= 0 || (to > 0 ? b[to] < -1 : high > 6 || (to < 0 && from < high))) continue;
        memcpy(a, b, sizeof a);
        a[from]--;
        if (to > 0) { a[0] -= a[to] < 0; a[to] = (a[to] < 0 ? 0 : a[to]) + 1; }
        play(a, dice + 1, left - 1, used + 1);
        moved = 1;
    }
    if (!moved) keep(b, used == 1 ? 8 + dice[-1] : used * 16);
}

int main(void) {
    for (char line[8192], *at; fgets(line, sizeof line, stdin);) {
        int b[26], d[4], opposing = 0;
        if (strstr(line, "\"do\": \"hello\"")) puts("{\"protocol\": 1, \"name\": \"example in C\", \"frame\": \"mover\"}");
        else if ((at = strstr(line, "\"board\": ["))) {
            for (int i = 0, *n = b; i < 26; i++, at++) { n[i] = (int)strtol(at + (i ? 0 : 10), &at, 10); opposing |= n[i] < 0; }
            at = strstr(line, "\"dice\": [") + 9;
            d[0] = d[2] = at[0] - '0', d[1] = d[3] = at[3] - '0';
            count = best = 0;
            if (opposing) play(b, d, d[0] == d[1] ? 4 : 2, 0);
            if (opposing && d[0] != d[1]) play(b, (int[]){d[1], d[0]}, 2, 0);
            printf("{\"id\": %s, \"plays\": [", strtok(strstr(line, "\"id\": ") + 6, ",}"));
            for (int i = 0; i < count; i++) for (int j = 0; j < 26; j++)
                printf("%s%d%s", j ? "," : i ? ",[" : "[", found[i][j], j < 25 ? "" : "]");
            puts("]}");
        }
        fflush(stdout);
    }
    return 0;
}
