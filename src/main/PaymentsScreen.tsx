import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { useCharges, useWaitingCharges } from '#features/charges/client.web.ts'
import { WaitingChargesCard } from '#features/charges/WaitingChargesCard.tsx'
import type { Balance } from '#features/payments/balance.ts'
import { paths } from '#features/site/paths.ts'
import PaymentsPage from '#features/payments/PaymentsPage.tsx'
import { isComing } from '#platform/query.web.ts'
import { late } from '#platform/ui/late.tsx'

const ChargeDialog = late(async () => (await import('#features/charges/ChargeDialog.tsx')).ChargeDialog)

/** Payments with the charges and credits between them. */
export default function PaymentsScreen() {
  const isTutor = useMe().role !== 'parent'
  const waiting = useWaitingCharges()
  const [query, setQuery] = useSearchParams()
  const [isAdding, setIsAdding] = useState(false)
  const [edited, setEdited] = useState<{ id: string; month: string; account: Balance }>()
  const charges = useCharges(edited?.month ?? '2000-01', edited !== undefined)
  const charge = charges.data?.find(({ id }) => id === edited?.id)
  return (
    <>
      <PaymentsPage
        charges={{
          card: <WaitingChargesCard />,
          isComing: isComing(waiting),
          isWaiting: Boolean(waiting.data?.charges.length),
          wanted: query.get('charge'),
          onAdd: () => setIsAdding(true),
          form: isAdding
            ? (account) => <ChargeDialog account={account} onClose={() => setIsAdding(false)} />
            : undefined,
          onEdit: (id, month, account) => {
            setEdited({ id, month, account })
            setQuery(
              (now) => {
                now.delete('charge')
                return now
              },
              { replace: true },
            )
          },
        }}
      />
      <p className="mt-5">
        <Link className="link inline-flex min-h-11 items-center" to={paths.papers}>
          {isTutor ? 'Receipts and invoices' : 'Receipts and records'}
        </Link>
      </p>
      {edited && charge && (
        <ChargeDialog charge={charge} account={edited.account} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}
