import { type Category, SaveCategory } from '#contract/catalogue/categories/categories';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { nameOfLanguage } from '#contract/platform/market/constants/choices';
import { compareNames } from '#contract/platform/text/constants/names';
import { directionOf } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { remove, upsert } from '../../platform/realtime/reducer.ts';
import { CategoryIcon } from '../../platform/ui/art/Drawing.tsx';
import { Dialog, FormButtons } from '../../platform/ui/dialogs/Dialog.tsx';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { TextField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { categoriesKeys } from './queries.ts';

/** Suggested emoji, for keyboards without an emoji input. */
const SUGGESTED_ICONS = ['🥕', '🍎', '🥬', '🍅', '🥚', '🧀', '🍯', '🌿', '🍓', '🥔', '🌽', '🍞'];

/** The dialog to add a category or edit the given one. */
export function CategoryDialog({
  category,
  onClose,
}: {
  category?: Category | undefined;
  onClose: () => void;
}) {
  const save = useSaveCategory();
  const [first = 'en', ...others] = useMarket().languages;
  const { name = '', names = {} } = category ?? {};
  const form = useZodForm(SaveCategory, {
    defaultValues: {
      // The market may have had another first language.
      name: names[first] ?? name,
      ...(others.length > 0 && {
        names: Object.fromEntries(others.map((each) => [each, names[each] ?? ''])),
      }),
      description: category?.description ?? '',
      icon: category?.icon ?? '',
    },
  });
  const icon = form.watch('icon');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !save.isPending && onClose()}
      title={category ? t('Edit category') : t('Add category')}
    >
      <Form
        form={form}
        draftKey={`category:${category?._id ?? 'new'}`}
        onSubmit={async (values) => {
          await save.mutateAsync({ ...values, _id: category?._id });
          onClose();
        }}
        className="grid gap-5"
      >
        <FormError form={form} />
        <TextField form={form} name="name" label={t('Name')} required autoComplete="off" />
        {others.map((each) => (
          <FormField
            key={each}
            form={form}
            name={`names.${each}`}
            label={t('Name in {language}', { language: nameOfLanguage(each) })}
            hint={t('Its readers see the name above while this is empty.')}
          >
            {(field) => <Input {...field} autoComplete="off" lang={each} dir={directionOf(each)} />}
          </FormField>
        ))}
        <FormField form={form} name="description" label={t('Description')}>
          {(field) => <Textarea {...field} rows={3} />}
        </FormField>
        <div className="grid gap-2">
          <FormField
            form={form}
            name="icon"
            label={t('Icon (emoji)')}
            hint={t('One emoji, or none.')}
          >
            {(field) => (
              <Input {...field} autoComplete="off" className="w-24 text-center text-lg" />
            )}
          </FormField>
          <fieldset className="flex flex-wrap gap-1">
            <legend className="sr-only">{t('Suggested icons')}</legend>
            {SUGGESTED_ICONS.map((emoji) => (
              <button
                key={emoji}
                type="button"
                aria-pressed={icon === emoji}
                onClick={() => form.setValue('icon', emoji, { shouldDirty: true })}
                className="grid size-10 place-items-center rounded hover:bg-sunken aria-pressed:bg-leaf-soft pointer-coarse:size-11"
              >
                <CategoryIcon icon={emoji} className="size-8 text-lg" />
                <span className="sr-only">{emoji}</span>
              </button>
            ))}
          </fieldset>
        </div>
        <FormButtons
          label={category ? t('Save category') : t('Add category')}
          pending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

const byName = (a: Category, b: Category) => compareNames(a.name, b.name);

/** Creates a category, or updates the one whose `_id` is given. */
const useSaveCategory = () =>
  useCommand(
    ({ _id, ...body }: SaveCategory & { _id?: string | undefined }) =>
      _id === undefined
        ? call(categoriesApi.create, { body })
        : call(categoriesApi.update, { params: { id: _id }, body }),
    {
      onSuccess: (cache, { data }) => upsert(cache, categoriesKeys.list(), data, { order: byName }),
      done: (_, { _id }) =>
        _id === undefined
          ? t('Category created successfully!')
          : t('Category updated successfully!'),
    },
  );

/** Deletes a category; its products have no category then. */
export const useDeleteCategory = () =>
  useCommand((id: string) => call(categoriesApi.remove, { params: { id } }), {
    onSuccess: (cache, _, id) => remove(cache, categoriesKeys.list(), id),
    done: () => t('Category deleted successfully!'),
  });
