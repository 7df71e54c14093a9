/* An engine that speaks bgcore's line protocol and offers one word of it: the plays of a roll. */
#include <stdio.h>
#include <string.h>

static int found[4000][26], count, best; /* final boards, and how good a use of the dice they are */

/* A board is 26 counts seen by the player on roll; [25] is his bar, [0] the opponent's. */
static void play(const int *b, const int *dice, int left, int used) {
    int a[26], i = 0, high = 25, rank = used == 1 ? 8 + dice[-1] : 16 * used; /* most dice; of one the larger */
    while (high && b[high] <= 0) high--;
    for (int from = high, to = from - *dice; left && from > (b[25] ? 24 : 0); from--, to--) {
        if (b[from] <= 0 || (to > 0 ? b[to] < -1 : high > 6 || (to < 0 && from < high))) continue;
        memcpy(a, b, sizeof a), a[from]--;
        if (to > 0) a[0] -= a[to] < 0, a[to] += a[to] < 0 ? 2 : 1;
        play(a, dice + 1, left - 1, used + 1);
    }
    if (rank > best) best = rank, count = 0;
    while (i < count && memcmp(found[i], b, sizeof a)) i++;
    if (rank == best && used && i == count) memcpy(found[count++], b, sizeof a);
}

int main(void) {
    for (char line[8192], *at; fgets(line, sizeof line, stdin); fflush(stdout)) {
        int b[26], x, y, id, opposing = count = best = 0;
        if (strstr(line, "\"hello\"")) puts("{\"protocol\": 1, \"name\": \"example in C\", \"frame\": \"mover\"}");
        if (!(at = strstr(line, "\"board\": ["))) continue;
        for (int i = 0, n = 9; i < 26; i++) sscanf(at += n + 1, "%d%n", &b[i], &n), opposing |= b[i] < 0;
        sscanf(strstr(line, "\"dice\": ["), "\"dice\": [%d, %d], \"id\": %d", &x, &y, &id);
        for (int k = 0; opposing && k <= (x != y); k++) play(b, (int[]){x, y, x, y, 0} + k, x == y ? 4 : 2, 0);
        printf("{\"id\": %d, \"plays\": [", id);
        for (int i = 0; i < 26 * count; i++)
            printf("%s%d%s", i % 26 ? "," : i ? ",[" : "[", found[i / 26][i % 26], i % 26 < 25 ? "" : "]");
        puts("]}");
    }
}
