// Packs what the build has made, for browsers that take it packed, and judges its size.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const MOST_BYTES = 700 * 1024;
const PACKED = /\.(js|css|svg|json|map)$/;
const folder = '../target/classes/ui/assets';

let sum = 0;
for (const name of readdirSync(folder)) {
  const file = join(folder, name);
  if (!PACKED.test(name)) {
    sum += statSync(file).size; // fonts are packed by their format
    continue;
  }
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  sum += brotli.length;
}
console.log(`ui: ${Math.ceil(sum / 1024)} KiB packed, of at most ${MOST_BYTES / 1024}`);
if (sum > MOST_BYTES) {
  console.error(`ui: expected at most ${MOST_BYTES} bytes packed, got ${sum}`);
  process.exit(1);
}
