import { fstatSync, readSync, writeFileSync } from 'node:fs';
import { type Decoded, type DecodeRules, decodePicture } from './decode.ts';

/**
 * Decodes one picture from standard input, which is a file, sends the outcome to the parent process and
 * exits. A separate process can be killed at any point, releases all its memory, and isolates crashes of
 * the decoder. The argument is a {@link DecodeRules} as JSON.
 */
const rules = JSON.parse(process.argv[2] ?? '{}') as DecodeRules;
const CHECK_INTERVAL_MS = 25;

function finish(decoded: Decoded): void {
  // Started by hand, without a parent process.
  if (!process.send) process.exit(1);
  process.send(decoded, () => process.exit(0));
}

try {
  // Make the Linux OOM killer choose this process before the server.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Not Linux, or not permitted.
}
// The parent process has exited.
process.once('disconnect', () => process.exit(0));

setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > rules.cpuMaxMs) finish({ refusal: 'time' });
  else if (process.memoryUsage.rss() > rules.memoryMaxBytes) finish({ refusal: 'memory' });
}, CHECK_INTERVAL_MS);

const file = Buffer.alloc(fstatSync(0).size);
readSync(0, file, 0, file.length, 0);
finish(await decodePicture(file, rules));
