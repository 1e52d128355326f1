import { Check } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { Link } from 'wouter';
import {
  ANSWER_MINUTES,
  ESTABLISHED_YEAR_MIN,
  PRACTICE_LENGTH_MAX,
  WEIGHT_TOLERANCE_PERCENT,
} from '#contract/farm/farmers/constants';
import { OPENING_SPANS_MAX } from '#contract/farm/farmers/constants/hours';
import type { FarmProfile } from '#contract/farm/farmers/farmers';
import { DELIVERY_AREA_LENGTH_MAX, distinctAreas } from '#contract/farm/places/constants/areas';
import { isMetric } from '#contract/platform/quantities/constants/quantities';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';
import { capitalized } from '../../platform/format/format.ts';
import { useCurrent } from '../../platform/queries/use-current.ts';
import { useAuth } from '../../platform/session/session.ts';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField } from '../../platform/ui/form/form.tsx';
import { TimeZoneField } from '../../platform/ui/form/TimeZoneField.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import type { PictureField } from '../../platform/uploads/ImageUpload.tsx';
import { PositionField } from '../model/PositionField.tsx';
import { WeekHours } from '../model/WeekHours.tsx';
import { ContactFields, FarmPictures, TextListField } from './FarmProfileFields.tsx';
import { type FarmFields, type FarmForm, longestRadius, useSection } from './farm-profile-form.ts';
import { farmerQuery } from './queries.ts';
import { SOCIAL_MEDIA } from './rules.ts';

/** What a section shows: its form, its farm, and what it is given by the page. */
type SectionProps = {
  form: FarmForm;
  profile: FarmProfile;
  /** Whether the person signed in registered the farm, which has their phone, address and email. */
  isFounder: boolean;
  pictureField: PictureField;
  onUploading: (isUploading: boolean) => void;
};

type Section = {
  title: Message;
  text?: Message;
  /** The fields that it saves. */
  names: readonly (keyof FarmFields)[];
  Fields: (props: SectionProps) => ReactNode;
};

/** The sections of a farm's profile. Each is saved by itself. */
const SECTIONS = {
  about: {
    title: msg('The farm'),
    names: ['farmName', 'establishedYear', 'description', 'position', 'farmingPractices'],
    Fields: AboutFields,
  },
  contact: {
    title: msg('Contact'),
    text: msg('Customers see the phone number and the town.'),
    names: ['contact'],
    Fields: ContactFields,
  },
  pictures: { title: msg('Pictures'), names: ['cover', 'photo'], Fields: FarmPictures },
  links: {
    title: msg('Email and social links'),
    text: msg('What else your page shows beside the phone number and the town.'),
    names: ['showsEmail', 'socialMedia'],
    Fields: LinkFields,
  },
  hours: {
    title: msg('Business hours'),
    text: msg('Tap the days on which you are open.'),
    names: ['hours', 'timeZone'],
    Fields: HoursFields,
  },
  handoff: {
    title: msg('How customers get it'),
    names: ['acceptsPickup', 'acceptsDelivery', 'deliveryRadius', 'deliveryAreas'],
    Fields: HandoffFields,
  },
  changes: {
    title: msg('When an order changes'),
    text: msg('You may run short of something, or a weighed item may cost more than expected.'),
    names: ['answerMinutes', 'weightTolerancePercent'],
    Fields: ChangeFields,
  },
} as const satisfies Record<string, Section>;
export type FarmSection = keyof typeof SECTIONS;

/** Whether a farm has what each save of its profile must say. */
const isDescribed = ({ farmName, description }: FarmProfile): boolean =>
  farmName !== '' && description !== '';

/** Sections of the signed-in farmer's farm profile, one below the other. */
export function FarmProfileForm({
  farmerId,
  sections,
  pictureField,
  founderContact,
}: {
  farmerId: string;
  sections: readonly FarmSection[];
  pictureField: PictureField;
  /** Phone and address of the founder, in the place of the farm's own, where the founder is signed in. */
  founderContact?: ReactNode;
}) {
  const query = useCurrent(farmerQuery(farmerId));
  const { user } = useAuth();
  const skeleton = (
    <Loading className="grid gap-6">
      {sections.map((section) => (
        <Skeleton key={section} className="h-64 rounded" />
      ))}
    </Loading>
  );
  return (
    <div className="grid max-w-3xl gap-6">
      <Fetched query={query} skeleton={skeleton}>
        {({ profile }) => {
          const isWaiting = sections.includes('about') && !isDescribed(profile);
          return (
            <>
              {sections.map((section) => {
                if (section === 'contact' && !profile.contact)
                  return (
                    <FounderContact key={section}>
                      {user?._id === farmerId && founderContact}
                    </FounderContact>
                  );
                if (isWaiting && section !== 'about') return null;
                return (
                  <SectionCard
                    key={section}
                    name={section}
                    farmerId={farmerId}
                    profile={profile}
                    isFounder={user?._id === farmerId}
                    pictureField={pictureField}
                  />
                );
              })}
              {isWaiting && (
                <p className="text-sm text-ink-soft">
                  {t('Once the farm is saved you go on with its pictures, its hours and the rest.')}
                </p>
              )}
            </>
          );
        }}
      </Fetched>
    </div>
  );
}

/** Phone and address of a farm whose founder has an account: that has them. */
function FounderContact({ children }: { children: ReactNode }) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id}>
      <CardHeader id={id} title={writeMessage(SECTIONS.contact.title)} className="mb-1" />
      <p className="mb-4 text-sm text-ink-soft">{writeMessage(SECTIONS.contact.text)}</p>
      {children || (
        <p className="text-sm">
          {t('They are those of the founder of the farm, who changes them in their profile.')}
        </p>
      )}
    </Card>
  );
}

function SectionCard({
  name,
  farmerId,
  profile,
  ...props
}: {
  name: FarmSection;
  farmerId: string;
  profile: FarmProfile;
} & Pick<SectionProps, 'isFounder' | 'pictureField'>) {
  const { title, text, names, Fields }: Section = SECTIONS[name];
  const { form, save } = useSection(farmerId, profile, names);
  const { isDirty, isSubmitting } = form.formState;
  // Not `isSubmitSuccessful`, which `form.reset` clears.
  const [wasSaved, setWasSaved] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id}>
      <CardHeader id={id} title={writeMessage(title)} className="mb-1" />
      {text && <p className="text-sm text-ink-soft">{writeMessage(text)}</p>}
      {name === 'about' || isDescribed(profile) ? (
        <Form
          form={form}
          label={writeMessage(title)}
          draftKey={`farm-profile:${name}`}
          onSubmit={async (input, show) => {
            await save(input, show);
            setWasSaved(true);
          }}
          className="mt-4 grid gap-6"
        >
          <div className="grid gap-5 sm:grid-cols-2">
            <Fields form={form} profile={profile} onUploading={setUploading} {...props} />
          </div>
          <FormError form={form} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              type="submit"
              pending={isSubmitting || isUploading}
              pendingLabel={isUploading ? t('Uploading pictures...') : t('Saving...')}
            >
              {t('Save')}
            </Button>
            {/* The toast has been read out. */}
            {wasSaved && !isDirty && (
              <p className="flex items-center gap-1.5 text-sm text-leaf-ink">
                <Check className="size-4 shrink-0" />
                <span>{t('Farm profile updated successfully!')}</span>
              </p>
            )}
          </div>
          <LeaveGuard when={(isDirty || isUploading) && !isSubmitting} />
        </Form>
      ) : (
        <p className="mt-3 text-sm">
          <Link href="/farmer/settings#farmName" className="link">
            {t('First say what your farm is called and what makes it yours.')}
          </Link>
        </p>
      )}
    </Card>
  );
}

function AboutFields({ form }: SectionProps) {
  const thisYear = new Date(clockMs()).getFullYear();
  return (
    <>
      <FormField form={form} name="farmName" label={t('Farm name')} required>
        {(field) => <Input {...field} autoComplete="organization" />}
      </FormField>
      <NumberField
        form={form}
        name="establishedYear"
        label={t('Established year')}
        isOptional
        limits={{ decimals: 0, min: ESTABLISHED_YEAR_MIN, max: thisYear }}
      />
      <FormField
        form={form}
        name="description"
        label={t('Description')}
        required
        className="sm:col-span-2"
      >
        {(field) => <Textarea {...field} rows={5} />}
      </FormField>
      <PositionField
        {...useController({ control: form.control, name: 'position' })}
        className="sm:col-span-2"
      />
      <div className="sm:col-span-2">
        <TextListField
          form={form}
          name="farmingPractices"
          label={t('Farming practices')}
          placeholder={t('For example: no-till, crop rotation')}
          maxLength={PRACTICE_LENGTH_MAX}
        />
      </div>
    </>
  );
}

function LinkFields({ form, profile, isFounder }: SectionProps) {
  return (
    <>
      {!profile.contact && (
        <div className="sm:col-span-2">
          <Checkbox
            label={
              isFounder
                ? t('Show my email on the farm’s page')
                : t('Show the founder’s email on the farm’s page')
            }
            hint={t('Without it customers write to you here.')}
            {...form.register('showsEmail')}
          />
        </div>
      )}
      {SOCIAL_MEDIA.map((site) => (
        <FormField key={site} form={form} name={`socialMedia.${site}`} label={capitalized(site)}>
          {(field) => <Input type="url" placeholder={`https://${site}.com/...`} {...field} />}
        </FormField>
      ))}
    </>
  );
}

function HoursFields({ form, profile }: SectionProps) {
  return (
    <div className="grid gap-5 sm:col-span-2">
      <WeekHours
        form={form}
        first={{ from: '08:00', to: '18:00' }}
        spansMax={OPENING_SPANS_MAX}
        midnight="00:00"
      />
      <TimeZoneField
        form={form}
        name="timeZone"
        label={t('Time zone')}
        hint={t('Type a city near you. Hours, pickup times and last days go by this clock.')}
        kept={profile.timeZone}
        className="sm:max-w-96"
      />
    </div>
  );
}

function HandoffFields({ form }: SectionProps) {
  return (
    <>
      <div className="grid justify-items-start">
        <Checkbox label={t('Accepts pickup')} {...form.register('acceptsPickup')} />
        <Checkbox label={t('Accepts delivery')} {...form.register('acceptsDelivery')} />
      </div>
      <NumberField
        form={form}
        name="deliveryRadius"
        label={isMetric() ? t('Delivery radius (km)') : t('Delivery radius (miles)')}
        isOptional
        limits={{ min: 0, max: longestRadius(), ...(isMetric() && { decimals: 0 }) }}
      />
      <div className="sm:col-span-2">
        <TextListField
          form={form}
          name="deliveryAreas"
          label={t('Postcodes and cities you deliver to')}
          addLabel={t('Add area')}
          hint={t(
            'With a list, orders to other addresses are refused. Without one, customers are asked whether they live in your area.',
          )}
          placeholder={t('For example: 05346, Putney')}
          maxLength={DELIVERY_AREA_LENGTH_MAX}
          distinct={distinctAreas}
        />
      </div>
    </>
  );
}

function ChangeFields({ form }: SectionProps) {
  return (
    <>
      <NumberField
        form={form}
        name="answerMinutes"
        label={t('Minutes to answer a change')}
        hint={t('How long customers have when you ask them.')}
        limits={{ decimals: 0, ...ANSWER_MINUTES }}
      />
      <NumberField
        form={form}
        name="weightTolerancePercent"
        label={t('Weight tolerance (percent)')}
        hint={t('Above it customers are asked for their yes.')}
        limits={{ decimals: 0, ...WEIGHT_TOLERANCE_PERCENT }}
      />
    </>
  );
}
