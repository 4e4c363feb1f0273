import { X } from 'lucide-react'
import { useMe } from '#features/accounts/client.web.ts'
import { type ChargeBeside, besideInWords } from './charge-form.ts'

interface ChargesBesideListProps {
  charges: readonly ChargeBeside[]
  onRemove: (charge: ChargeBeside) => void
}

/** The charges and payments that are saved along with a session, each of which can be left out. */
export function ChargesBesideList({ charges, onRemove }: ChargesBesideListProps) {
  const { currency } = useMe()
  return (
    <section className="lg:col-span-2" aria-label="Saved with the session">
      <p className="label">Saved with the session</p>
      <ul className="card list overflow-hidden">
        {charges.map((charge) => {
          const words = besideInWords(charge, currency)
          return (
            <li key={charge.key} className="flex min-h-12 items-center gap-3 py-1 pr-1 pl-4">
              <span className="num min-w-0 flex-1 wrap-anywhere">
                <span className="text-ink-2">{charge.reason === null ? 'Payment: ' : 'Charge: '}</span>
                {words}
              </span>
              <button
                type="button"
                className="ib"
                aria-label={`Leave out, ${words}`}
                onClick={() => onRemove(charge)}
              >
                <X className="i" aria-hidden="true" />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
