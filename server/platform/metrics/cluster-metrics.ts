import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type MetricObject, type PrometheusContentType } from 'prom-client';
import { registry } from './metrics.ts';

/** A slower process fails the scrape: a total without its counters would look like a restart. */
const REPLY_TIMEOUT_MS = 5000;

type Message =
  /** From the primary to a worker: send your metrics. */
  | { type: 'metrics.collect'; id: string }
  /** The answer. */
  | { type: 'metrics.collected'; id: string; metrics: MetricObject[] }
  /** From a worker to the primary: send everybody's metrics as text. */
  | { type: 'metrics.request'; id: string }
  /** The answer; without text when a process did not answer. */
  | { type: 'metrics.text'; id: string; text: string | undefined };

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' &&
  message !== null &&
  String((message as { type?: unknown }).type).startsWith('metrics.');

/**
 * Waits for the message that `pick` recognizes; resolves with undefined when the sender exits.
 * Throws after {@link REPLY_TIMEOUT_MS}.
 */
function waitForMessage<T>(
  from: Pick<NodeJS.EventEmitter, 'on' | 'off'>,
  pick: (message: Message) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      from.off('message', onMessage);
      from.off('exit', onExit);
    };
    const onMessage = (message: unknown) => {
      const picked = isMessage(message) ? pick(message) : undefined;
      if (picked === undefined) return;
      end();
      resolve(picked);
    };
    // A process that exited has no metrics.
    const onExit = () => {
      end();
      resolve(undefined);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error('A server process did not send its metrics'));
    }, REPLY_TIMEOUT_MS);
    from.on('message', onMessage);
    from.on('exit', onExit);
  });
}

async function collectFrom(worker: Worker): Promise<MetricObject[]> {
  const id = randomUUID();
  const answer = waitForMessage(worker, (message) =>
    message.type === 'metrics.collected' && message.id === id ? message.metrics : undefined,
  );
  worker.send({ type: 'metrics.collect', id } satisfies Message);
  return (await answer) ?? [];
}

/** Collects the metrics of all server processes, combined by each metric's aggregator. */
export async function collectFromWorkers(): Promise<string> {
  const workers = [...listeningWorkers].filter((worker) => worker.isConnected());
  const metrics = await Promise.all(workers.map(collectFrom));
  return AggregatorRegistry.aggregate<PrometheusContentType>(metrics).metrics();
}

/** Workers that listen; those still starting have no metrics yet. */
const listeningWorkers = new Set<Worker>();

/** In the primary: tracks the workers that listen and replies to their requests for all metrics. */
export function superviseMetrics(): void {
  cluster.on('listening', (worker) => listeningWorkers.add(worker));
  cluster.on('exit', (worker) => listeningWorkers.delete(worker));
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message) || message.type !== 'metrics.request') return;
    const answer = (text: string | undefined) => {
      const reply: Message = { type: 'metrics.text', id: message.id, text };
      if (worker.isConnected()) worker.send(reply);
    };
    collectFromWorkers().then(answer, () => answer(undefined));
  });
}

/** In a worker: sends this process's metrics on request. `measure` updates them first. */
export function sendMetricsToPrimary(measure: () => Promise<void>): void {
  process.on('message', (message: unknown) => {
    if (!isMessage(message) || message.type !== 'metrics.collect') return;
    void measure()
      .then(() => registry.getMetricsAsJSON())
      .then((metrics) => {
        process.send?.({ type: 'metrics.collected', id: message.id, metrics } satisfies Message);
      })
      // Without a reply the primary fails this scrape after its timeout.
      .catch(() => {});
  });
}

/** In a worker: requests the metrics of all processes. Throws when one of them did not reply. */
export async function collectThroughPrimary(): Promise<string> {
  const id = randomUUID();
  const answer = waitForMessage(process, (message) =>
    message.type === 'metrics.text' && message.id === id ? { text: message.text } : undefined,
  );
  process.send?.({ type: 'metrics.request', id } satisfies Message);
  const text = (await answer)?.text;
  if (text === undefined) throw new Error('A server process did not send its metrics');
  return text;
}
