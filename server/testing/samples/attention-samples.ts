import { DEFAULT_PLAN } from '#contract/ordering/attention/constants';
import { acknowledgementToken } from '../../ordering/attention/token.ts';
import type { Caller, TestMarket } from '../market.ts';
import type { Sample } from './sample.ts';

/** Writes what asks a farm about a new order, as a worker does. @returns its id */
export async function newAlert(
  { platform: { db } }: Pick<TestMarket, 'platform'>,
  { id: farmId }: Pick<Caller, 'id'>,
  order: string,
): Promise<string> {
  const now = new Date();
  const { id } = await db.attention.create({
    data: {
      ...{ farmId, kind: 'order.placed', orderId: order, subjectId: order },
      ...{ createdAt: now, roundAt: now, nextAt: now, plan: DEFAULT_PLAN as object },
      ...{ params: {}, link: `/orders/${order}`, key: `order.placed:${order}` },
    },
  });
  return id;
}

/** Valid calls of what asks farms for an answer. */
export function attentionSamples(
  market: TestMarket,
  { own, newOrder }: { own: Record<'farmer', Caller>; newOrder: () => Promise<string> },
): Record<string, Sample> {
  const alert = async () => newAlert(market, own.farmer, await newOrder());
  const ids = async () => ({ body: { ids: [await alert()] } });
  return {
    'GET /attention': {},
    'POST /attention/ack': { input: ids, stranger: { farmer: 404 } },
    'POST /attention/acknowledgements': {
      input: async () => {
        const attentions = [{ id: await alert(), round: 1 }];
        const whose = { userId: own.farmer.id, attentions, now: new Date() };
        return { body: { token: acknowledgementToken(market.env, whose) } };
      },
    },
    'POST /attention/seen': { input: ids, stranger: { farmer: 404 } },
    'PUT /attention/off': { input: () => ({ body: { isOff: true } }) },
    'GET /farm/escalation': {},
    'PUT /farm/escalation': { input: () => ({ body: { rounds: 3 } }) },
    'POST /farm/escalation/test': {},
  };
}
