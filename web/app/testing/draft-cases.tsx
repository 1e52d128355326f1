import type { ReactElement } from 'react';
import type { Report } from '#contract/admin/moderation/moderation';
import type { Category } from '#contract/catalogue/categories/categories';
import type { Product } from '#contract/catalogue/products/product';
import type { FarmProfile } from '#contract/farm/farmers/farmers';
import type { AdminFarm } from '#contract/farm/opening/opening';
import type { Place } from '#contract/farm/places/places';
import type { FarmSchedule } from '#contract/farm/schedule/schedule';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { OrderNotes, UserNotes } from '../../admin/admin/Notes.tsx';
import { RemoveSecondFactorDialog, SuspendDialog } from '../../admin/admin/person/PersonParts.tsx';
import ReportDialog from '../../admin/moderation/ReportDialog.tsx';
import { CategoryDialog } from '../../catalogue/categories/CategoryDialog.tsx';
import { ProductForm } from '../../catalogue/products/form/ProductForm.tsx';
import { CertificatePart } from '../../farm/certificate/CertificatePart.tsx';
import { FarmProfileForm } from '../../farm/farmers/FarmProfileForm.tsx';
import { MessageComposer } from '../../farm/messages/MessageComposer.tsx';
import { ThreadInput } from '../../farm/messages/thread/ThreadInput.tsx';
import { SendBackDialog } from '../../farm/opening/FarmCard.tsx';
import { PlaceForm } from '../../farm/places/PlaceForm.tsx';
import { CutoffForm } from '../../farm/schedule/CutoffForm.tsx';
import { ClosedDaysList } from '../../farm/schedule/SchedulePart.tsx';
import { PlanForm } from '../../ordering/attention/plan/PlanForm.tsx';
import { ProposeDialog } from '../../ordering/changes/proposals/FarmProposal.tsx';
import ShortageDialog from '../../ordering/changes/shortage/ShortageDialog.tsx';
import ComplaintDialog from '../../ordering/complaints/ComplaintDialog.tsx';
import { EndOrderDialog } from '../../ordering/orders/answers/OrderActions.tsx';
import { StatusDialog } from '../../ordering/orders/answers/StatusDialog.tsx';
import { MoveDayDialog, MoveSlotDialog } from '../../ordering/slots/MoveSlotDialog.tsx';
import { SlotDialog } from '../../ordering/slots/SlotDialog.tsx';
import { aFarmSlot, dayFromNow } from '../../ordering/slots/testing/slots.ts';
import { MarketSettingsForm } from '../../pages/admin/AdminMarketPage.tsx';
import { AnnouncementForm, MarketPageEditor } from '../../pages/admin/AdminPagesPage.tsx';
import { HidingCard } from '../../pages/admin/AdminProductPage.tsx';
import { ReportCard } from '../../pages/admin/AdminReportsPage.tsx';
import { AddressDialog } from '../../people/addresses/AddressesCard.tsx';
import { GeneralForm } from '../../people/users/GeneralForm.tsx';
import { readOwner } from '../../platform/session/owned.ts';
import { aPlan } from '../../platform/testing/attentions.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { aLine, anOrderOf, aProposal } from '../../platform/testing/proposals.ts';

/** The person who types. */
export const ME = aUser('farmer');
const nothing = () => undefined;
const never = () => new Promise<never>(nothing);

const closedDay = { open: '', close: '' };
const weekdays = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** A farm that one of them is about. */
export const profile = {
  farmName: 'Green Valley',
  description: 'Since 1990',
  establishedYear: 1990,
  socialMedia: { facebook: '', instagram: '', twitter: '' },
  farmingPractices: [],
  businessHours: Object.fromEntries(weekdays.map((day) => [day, closedDay])),
  acceptsPickup: true,
  acceptsDelivery: false,
  deliveryRadius: null,
  deliveryAreas: [],
  photo: null,
  cover: null,
  timeZone: 'Europe/Berlin',
  version: 1,
} as unknown as FarmProfile;
const place: Place = {
  _id: '00000000-0000-4000-8000-000000000801',
  name: 'Market square',
  address: { street: '1 Main St', city: 'Putney', state: 'VT', zipCode: '05346' },
  directions: '',
  phone: '',
  isActive: true,
  hours: [],
  version: 3,
};
const schedule: FarmSchedule = {
  mode: 'notice',
  cutoff: null,
  exceptions: [],
  atCutoff: 'remind',
  bookableDays: 14,
  version: 1,
};
const slot = aFarmSlot(dayFromNow(3), '09:00');
const order = anOrder(1);
const changed = anOrderOf([aLine(1), aLine(2)]);
const proposed = { ...changed, openChange: aProposal(changed) };
const report = {
  _id: 'r',
  kind: 'farm',
  subjectId: 'f',
  subject: { name: 'A farm', text: '', image: null, amount: null },
  about: { _id: 'f', name: 'A farm' },
  reporter: { _id: 'c', name: 'Cora' },
  reason: 'spam',
  text: '',
  outcome: null,
  createdAt: '2026-01-01T00:00:00.000Z',
} as unknown as Report;
const kale = { _id: 'kale', name: 'Kale', unit: 'lb', version: 1 } as Product;

export type DraftCase = {
  file: string;
  what: string;
  view: ReactElement;
  label: RegExp;
  text?: string;
  /** Opens the form where its view does not. */
  press?: RegExp;
  /** It has no note: a draft of a message stands where it was written. */
  isQuiet?: true;
};

/** Every form that keeps what is typed, with one of its fields. */
export const DRAFT_CASES: DraftCase[] = [
  {
    file: 'catalogue/products/form/ProductForm.tsx',
    what: 'a product',
    view: (
      <ProductForm
        categories={[]}
        pictures={() => null}
        submitLabel="Save"
        draftKey="product:1"
        onSubmit={never}
      />
    ),
    label: /^Product name/,
  },
  {
    file: 'farm/farmers/FarmProfileForm.tsx',
    what: 'the profile of a farm',
    view: <FarmProfileForm farmerId={ME._id} sections={['about']} pictureField={() => null} />,
    label: /^Farm name/,
  },
  {
    file: 'farm/certificate/CertificatePart.tsx',
    what: 'an organic certificate',
    view: <CertificatePart certificate={null} timeZone="UTC" pictureField={() => null} />,
    label: /^Code of the body/,
  },
  {
    file: 'farm/places/PlaceForm.tsx',
    what: 'a new place',
    view: <PlaceForm onDone={nothing} />,
    label: /^Name/,
  },
  {
    file: 'farm/places/PlaceForm.tsx',
    what: 'a place',
    view: <PlaceForm place={place} onDone={nothing} />,
    label: /^Directions/,
  },
  {
    file: 'farm/schedule/CutoffForm.tsx',
    what: 'a schedule',
    view: <CutoffForm schedule={schedule} mayChange today={dayFromNow(0)} countAnswered={never} />,
    label: /^Days ahead/,
    text: '21',
  },
  {
    file: 'farm/schedule/SchedulePart.tsx',
    what: 'closed days',
    view: <ClosedDaysList schedule={schedule} mayChange today={dayFromNow(0)} />,
    label: /^From/,
    text: dayFromNow(9),
  },
  {
    file: 'ordering/attention/plan/PlanForm.tsx',
    what: 'how orders are told',
    view: <PlanForm plan={aPlan()} mayChange people={[]} timeZone="UTC" />,
    label: /^How many times/,
    text: '7',
  },
  {
    file: 'farm/messages/MessageComposer.tsx',
    what: 'a message to a farm',
    view: <MessageComposer receiverId="finn" />,
    label: /^Your message/,
  },
  {
    file: 'farm/messages/thread/ThreadInput.tsx',
    what: 'a message of a conversation',
    view: <Thread />,
    label: /^Message to Finn/,
    isQuiet: true,
  },
  {
    file: 'farm/opening/FarmCard.tsx',
    what: 'why a farm is sent back',
    view: (
      <SendBackDialog
        farm={{ _id: 'farm', farmName: 'Green', name: 'Finn', state: 'waiting' } as AdminFarm}
        pending={false}
        onClose={nothing}
        onConfirm={nothing}
      />
    ),
    label: /^Reason/,
  },
  {
    file: 'catalogue/categories/CategoryDialog.tsx',
    what: 'a category',
    view: <CategoryDialog category={{ _id: 'c', name: 'Roots' } as Category} onClose={nothing} />,
    label: /^Name/,
  },
  {
    file: 'ordering/slots/SlotDialog.tsx',
    what: 'the limit of a slot',
    view: (
      <SlotDialog
        slot={slot}
        farmToday={dayFromNow(0)}
        isPast={false}
        mayChange
        mayMove={false}
        onMove={nothing}
        onClose={nothing}
      />
    ),
    press: /Change the limit/,
    label: /^Most orders/,
    text: '7',
  },
  {
    file: 'ordering/slots/MoveSlotDialog.tsx',
    what: 'why a day is moved',
    view: <MoveDayDialog date={dayFromNow(3)} farmToday={dayFromNow(0)} onClose={nothing} />,
    label: /^Reason/,
  },
  {
    file: 'ordering/slots/MoveSlotDialog.tsx',
    what: 'why a slot is moved',
    view: (
      <MoveSlotDialog
        slot={slot}
        timeZone="UTC"
        farmToday={dayFromNow(0)}
        onClose={nothing}
        onMoved={nothing}
      />
    ),
    label: /^Reason/,
  },
  {
    file: 'ordering/orders/answers/StatusDialog.tsx',
    what: 'the reason of a status',
    view: <StatusDialog order={order} onClose={nothing} />,
    label: /^Reason/,
  },
  {
    file: 'ordering/orders/answers/OrderActions.tsx',
    what: 'the reason of a rejection',
    view: <EndOrderDialog order={order} to="rejected" party="farmer" onClose={nothing} />,
    label: /^Reason/,
  },
  {
    file: 'ordering/changes/proposals/FarmProposal.tsx',
    what: 'the note of a proposal',
    view: <ProposeDialog order={proposed} onClose={nothing} />,
    label: /^Note/,
  },
  {
    file: 'ordering/complaints/ComplaintDialog.tsx',
    what: 'what was wrong with an order',
    view: (
      <ComplaintDialog
        order={order}
        mayWrite
        isSending={false}
        onSend={nothing}
        onClose={nothing}
      />
    ),
    label: /^Anything else/,
  },
  {
    file: 'ordering/changes/shortage/ShortageDialog.tsx',
    what: 'the note of a shortage',
    view: (
      <ShortageDialog
        product={kale}
        farmToday={dayFromNow(0)}
        day={dayFromNow(1)}
        onClose={nothing}
      />
    ),
    label: /^Note/,
  },
  {
    file: 'people/users/GeneralForm.tsx',
    what: 'a profile',
    view: <GeneralForm user={ME} onSave={never} />,
    label: /^Name/,
  },
  {
    file: 'people/addresses/AddressesCard.tsx',
    what: 'an address',
    view: <AddressDialog address={null} onClose={nothing} />,
    label: /^Street/,
  },
  {
    file: 'pages/admin/AdminMarketPage.tsx',
    what: 'the settings of the market',
    view: <MarketSettingsForm market={DEFAULT_MARKET} />,
    label: /^Tagline/,
  },
  {
    file: 'pages/admin/AdminPagesPage.tsx',
    what: 'a page of the market',
    view: <MarketPageEditor slug="terms" language="en" page={undefined} />,
    label: /^Text/,
  },
  {
    file: 'pages/admin/AdminPagesPage.tsx',
    what: 'an announcement',
    view: <AnnouncementForm announcement={null} />,
    label: /^What everybody/,
  },
  {
    file: 'admin/moderation/ReportDialog.tsx',
    what: 'a report',
    view: <ReportDialog kind="product" id="kale" onClose={nothing} />,
    label: /^What should we know/,
  },
  {
    file: 'pages/admin/AdminReportsPage.tsx',
    what: 'the note of a settled report',
    view: <ReportCard report={report} isChosen={false} />,
    press: /^Something was done/,
    label: /^Note/,
  },
  {
    file: 'pages/admin/AdminProductPage.tsx',
    what: 'why a product is hidden',
    view: <HidingCard product={kale} />,
    label: /^Reason/,
  },
  {
    file: 'admin/admin/Notes.tsx',
    what: 'a note about an order',
    view: <OrderNotes orderId="o" />,
    label: /^Add a note/,
  },
  {
    file: 'admin/admin/Notes.tsx',
    what: 'a note about a person',
    view: <UserNotes userId="u" />,
    label: /^Add a note/,
  },
  {
    file: 'admin/admin/person/PersonParts.tsx',
    what: 'why somebody is suspended',
    view: <SuspendDialog user={{ _id: 'u', name: 'Uma' }} kind="person" onClose={nothing} />,
    label: /^Reason/,
  },
  {
    file: 'admin/admin/person/PersonParts.tsx',
    what: 'why a second factor is removed',
    view: <RemoveSecondFactorDialog user={{ _id: 'u', name: 'Uma' }} onClose={nothing} />,
    label: /^How do you know/,
  },
];

function Thread() {
  return <ThreadInput me={readOwner()} receiver="finn" name="Finn" onSend={nothing} />;
}
