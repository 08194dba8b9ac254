/* All tile registers of this thread as 16 rows of 64 bytes. */
/* The layout of LDTILECFG (Intel SDM, "Tile configuration"). */
typedef struct __attribute__((packed)) {
    uint8_t palette, start, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tile_config;

static void configure(void) {
    tile_config config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = 16;
    }
    _tile_loadconfig(&config);
}
