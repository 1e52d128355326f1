import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { msg } from '#contract/platform/text/constants/texts';
import { IMAGE_SIZES, UPLOAD_PIXELS_MAX } from '#contract/platform/uploads/constants';
import { KIND_BYTES, KIND_REFUSALS, kindOf } from '#contract/platform/uploads/kinds';
import { type AppError, invalid, tooLarge, unsupported } from '../http/errors.ts';
import { countRefused, pictureDecodeDuration } from '../metrics/metrics.ts';
import { isFromSources, RELEASE_FOLDER } from '../process/release.ts';
import { defined } from '../stores/postgres.ts';
import type { Decoded, DecodeRefusal, DecodeRules, Picture } from './decode.ts';

/** Thrown when the decoder process fails for another reason than the picture. */
export class DecoderError extends Error {}

/** Limits of decoding one picture. */
const CPU_MAX_MS = 8000;
const MEMORY_MAX_BYTES = 768 * 1024 * 1024;
/** Also stops a decoder that gets too little CPU time. */
const WALL_CLOCK_MAX_MS = 30_000;
/** Niceness: a lower priority than the server's, so that requests go first. */
const DECODER_PRIORITY = 3;

/** Checks a file's format by its content. @throws 415, with what to do, when it is not JPEG, PNG, WebP or AVIF */
export async function requireKnownFormat(file: FileHandle): Promise<void> {
  const start = Buffer.alloc(KIND_BYTES);
  const { bytesRead } = await file.read(start, 0, KIND_BYTES, 0);
  const refusal = KIND_REFUSALS[kindOf(start.subarray(0, bytesRead))];
  if (refusal) throw unsupported(refusal);
}

interface DecodeLimits {
  cpuMaxMs: number;
  memoryMaxBytes: number;
  wallClockMaxMs: number;
}

const LIMITS: DecodeLimits = {
  cpuMaxMs: CPU_MAX_MS,
  memoryMaxBytes: MEMORY_MAX_BYTES,
  wallClockMaxMs: WALL_CLOCK_MAX_MS,
};

/**
 * Decodes an uploaded picture in a separate process and encodes it in two sizes.
 * @throws 413 when it has too many pixels or takes too much time or memory, 400 when it is damaged,
 * DecoderError when the decoder cannot run
 */
export async function readPicture(
  file: FileHandle,
  signal: AbortSignal,
  limits = LIMITS,
): Promise<Picture> {
  const endTimer = pictureDecodeDuration.startTimer();
  const decoded = await runDecoder(file, signal, limits);
  endTimer();
  if ('refusal' in decoded) throw toRefusal(decoded.refusal);
  return decoded.picture;
}

function toRefusal(refusal: DecodeRefusal): AppError {
  if (refusal === 'damaged') return invalid(msg("This picture is damaged and can't be read."));
  if (refusal === 'pixels') {
    return tooLarge(
      msg('A picture can have at most {max} megapixels. Please make it smaller first.', {
        max: UPLOAD_PIXELS_MAX / 1_000_000,
      }),
    );
  }
  countRefused(`decode_${refusal}`);
  return tooLarge(msg('This picture takes too long to read. Please make it smaller first.'));
}

/**
 * Arguments that start the decoder: with tsx from the sources in development. Tests build it first, because
 * tsx takes longer to start than most pictures take to decode.
 */
const program =
  isFromSources && process.env.NODE_ENV !== 'test'
    ? ['--import', 'tsx', path.join(import.meta.dirname, 'decoder.ts')]
    : [path.join(RELEASE_FOLDER, 'server/picture-decoder.js')];

/** Returns the decoder's environment, without the server's secrets. */
const decoderEnv = () => ({
  ...defined({
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH,
    SystemRoot: process.env.SystemRoot,
  }),
  // Fewer malloc arenas use less memory.
  MALLOC_ARENA_MAX: '2',
});

/** Signals of a decoder that crashed on the file. */
const CRASH_SIGNALS: readonly (string | null)[] = [
  'SIGSEGV',
  'SIGBUS',
  'SIGABRT',
  'SIGILL',
  'SIGFPE',
];

function runDecoder(
  file: FileHandle,
  signal: AbortSignal,
  { cpuMaxMs, memoryMaxBytes, wallClockMaxMs }: DecodeLimits,
): Promise<Decoded> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const rules: DecodeRules = {
      pixelsMax: UPLOAD_PIXELS_MAX,
      sizes: IMAGE_SIZES,
      cpuMaxMs,
      memoryMaxBytes,
    };
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=64', ...program, JSON.stringify(rules)],
      {
        stdio: [file.fd, 'ignore', 'inherit', 'ipc'],
        serialization: 'advanced',
        env: decoderEnv(),
      },
    );
    let decoded: Decoded | undefined;
    let isOutOfTime = false;
    const kill = () => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      isOutOfTime = true;
      kill();
    }, wallClockMaxMs);
    signal.addEventListener('abort', kill);
    const stopWatching = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    };
    child.once('message', (message) => {
      decoded = message as Decoded;
    });
    child.once('error', (error) => {
      stopWatching();
      reject(new DecoderError(error.message));
    });
    // Wait for both: its memory is released on exit, and its last message may arrive after that.
    void Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(([[code, ended]]) => {
      stopWatching();
      if (signal.aborted) reject(signal.reason);
      else if (decoded) resolve(decoded);
      else if (isOutOfTime) reject(new DecoderError('got too little processor time'));
      else if (ended === 'SIGKILL') resolve({ refusal: 'memory' });
      else if (CRASH_SIGNALS.includes(ended)) resolve({ refusal: 'damaged' });
      else reject(new DecoderError(`ended with ${ended ?? code}`));
    }, reject);
    lowerPriority(child.pid);
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, DECODER_PRIORITY);
  } catch {
    // The process has exited already, or the system does not permit it.
  }
}
