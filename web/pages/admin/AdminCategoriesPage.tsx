import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Category } from '#contract/catalogue/categories/categories';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import { sortByName } from '#contract/platform/text/constants/names';
import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { ACTIONS } from '../../admin/model/cells.tsx';
import { CategoryDialog, useDeleteCategory } from '../../catalogue/categories/CategoryDialog.tsx';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { CategoryIcon } from '../../platform/ui/art/Drawing.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { EmptyState, Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { groundClass } from '../../platform/ui/ground.ts';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/** All categories, to add, edit and delete. */
export default function AdminCategoriesPage() {
  const [edited, setEdited] = useState<{ category?: Category } | null>(null);
  const [toDelete, setToDelete] = useState<Category | null>(null);
  const remove = useDeleteCategory();
  const addButton = (
    <Button icon={<Plus />} onClick={() => setEdited({})}>
      {t('Add category')}
    </Button>
  );
  return (
    <AdminFrame title={t('Categories')} actions={addButton}>
      <Fetched query={useQuery(categoriesQuery())} skeleton={<SkeletonRows rows={8} />}>
        {(categories) =>
          categories.length > 0 ? (
            <Table
              caption={t('Categories')}
              columns={columns((category) => setEdited({ category }), setToDelete)}
              rows={sortByName(categories, nameOfCategory)}
              rowKey={(category) => category._id}
              rowVersion={JSON.stringify}
            />
          ) : (
            <EmptyState
              drawing="field"
              title={t('No categories found')}
              text={t('Products are easier to find in categories.')}
            >
              {addButton}
            </EmptyState>
          )
        }
      </Fetched>
      {edited && <CategoryDialog category={edited.category} onClose={() => setEdited(null)} />}
      {toDelete && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setToDelete(null)}
          title={t('Delete {name}?', { name: toDelete.name })}
          description={t(
            'Its products stay on the market and show as General. This action cannot be undone.',
          )}
          confirmLabel={t('Delete category')}
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate(toDelete._id, { onSuccess: () => setToDelete(null) })}
        />
      )}
    </AdminFrame>
  );
}

const columns = (
  onEdit: (category: Category) => void,
  onDelete: (category: Category) => void,
): readonly Column<Category>[] => [
  {
    key: 'icon',
    header: t('Icon'),
    className: 'rows:w-20',
    cell: (category) => (
      <span className={`grid size-10 place-items-center rounded ${groundClass(category.name)}`}>
        {category.icon ? (
          <>
            <CategoryIcon icon={category.icon} className="size-8 text-lg" />
            <span aria-hidden="true" className="sr-only">
              {category.icon}
            </span>
          </>
        ) : (
          <Tag aria-hidden="true" className="size-5 text-ink-soft" />
        )}
      </span>
    ),
  },
  { key: 'name', header: t('Name'), primary: true, cell: nameOfCategory },
  {
    key: 'description',
    header: t('Description'),
    cell: (category) =>
      category.description || <span className="text-ink-soft">{t('No description provided')}</span>,
  },
  {
    ...ACTIONS,
    className: 'whitespace-nowrap',
    cell: (category) => (
      <span className="inline-flex items-center gap-1">
        <Button
          variant="quiet"
          size="sm"
          icon={<Pencil />}
          aria-label={t('Edit {name}', { name: category.name })}
          onClick={() => onEdit(category)}
        >
          {t('Edit')}
        </Button>
        <Button
          variant="danger-quiet"
          size="sm"
          icon={<Trash2 />}
          aria-label={t('Delete {name}', { name: category.name })}
          onClick={() => onDelete(category)}
        >
          {t('Delete')}
        </Button>
      </span>
    ),
  },
];
