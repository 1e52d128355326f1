import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { ImportPreview } from '../../catalogue/imports/ImportPreview.tsx';
import { importQuery } from '../../catalogue/imports/queries.ts';
import { Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { BackLink, PageHeader } from '../../platform/ui/primitives/sections.tsx';

/** What a file of products would change, until it is written, and how far that is. */
export default function ImportProductsPage() {
  const { id = '' } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const query = useQuery(importQuery(id));
  return (
    <div className="wrap max-w-4xl py-6 sm:py-8">
      <BackLink href="/farmer/products">{t('Back to my products')}</BackLink>
      <PageHeader title={t('Import products')} />
      <Fetched query={query} skeleton={<SkeletonRows rows={6} />}>
        {(found) => (
          <ImportPreview
            key={found._id}
            found={found}
            onUploaded={(other) => navigate(`/farmer/products/import/${other}`)}
          />
        )}
      </Fetched>
    </div>
  );
}
