import { useCanAddPeople, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import type { ChargeBeside } from '#features/charges/charge-form.ts'
import { type Currency, currencyOf, formatAmount, narrowSymbolOf } from '#kernel/money.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { PLEASE_CHECK } from './ProposedPerson.tsx'
import { CURRENCY_OF, type VoiceResult } from './voice.ts'
import type { HeardCharge } from './voice-form.ts'

interface ProposedChargesProps {
  result: VoiceResult
  charges: HeardCharge[]
  onPick: (charges: HeardCharge[]) => void
}

/** The charges and the payment that were said along with a session. Those that aren't certain, or can't be added here, are asked about. */
export function ProposedCharges({ result, charges, onPick }: ProposedChargesProps) {
  const { currency } = useMe()
  const seesAmounts = useSeesAmounts()
  const canAdd = useCanAddPeople() && seesAmounts
  if (charges.length === 0) return null
  const problem = !canAdd
    ? 'You can’t add charges to these records.'
    : result.charges.some(({ unit }) => unit !== narrowSymbolOf(currency))
      ? `Your records are in ${currency}.`
      : result.sessions_heard === 0
        ? 'A charge without a session is added on Payments.'
        : result.sessions_heard > 1
          ? 'We can’t tell which session it belongs to.'
          : undefined
  if (problem !== undefined)
    return (
      <div className="mx-5 mb-4">
        <Notice>
          Not added: {charges.map((heard) => inWords(heard, currency)).join(', ')}. {problem}
        </Notice>
      </div>
    )
  return (
    <ul className="list border-t border-line" aria-label="Charges to add">
      {charges.map((heard) => (
        <li key={heard.charge.key} className="flex items-center gap-3 px-5">
          <label className="flex min-h-12 min-w-0 flex-1 cursor-pointer items-center gap-3 py-2">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={heard.isPicked}
              onChange={(event) =>
                onPick(
                  charges.map((one) => (one === heard ? { ...one, isPicked: event.target.checked } : one)),
                )
              }
            />
            <span className="min-w-0 leading-snug font-medium wrap-anywhere">
              {heard.charge.reason === null ? 'Record ' : heard.isSure ? 'Charge: ' : 'Also a charge? '}
              <span className="num">{formatAmount(heard.charge.amount, currency)}</span>{' '}
              {whatFor(heard.charge)}
            </span>
          </label>
          {!heard.isSure && PLEASE_CHECK}
        </li>
      ))}
    </ul>
  )
}

/** As it was said. Dollars are shown as such, whichever they are. */
function inWords({ charge, unit }: HeardCharge, own: Currency): string {
  return `${formatAmount(charge.amount, unit ? currencyOf(CURRENCY_OF[unit]) : own)} ${whatFor(charge)}`
}

function whatFor({ reason, label }: ChargeBeside): string {
  return reason === null ? 'paid' : `for ${label?.toLowerCase()}`
}
