import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { CURRENCIES } from '#features/accounts/profile.ts'
import { formatAmount } from '#kernel/money.ts'
import { currencyOf } from '#kernel/currency.ts'
import { CallFailed, problemTitle } from '#platform/api.web.ts'
import { AlertPanel } from '#platform/ui/AlertPanel.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useUpdateProfile } from '../client.web.ts'

/** What's asked about or explained, instead of said in a message. */
const PROBLEMS = ['amounts_exist', 'other_currency', 'decimals_exist'] as const

type Choice = (typeof CURRENCIES)[number]

/** The workspace's currency. Asks first if existing amounts would keep their numbers in another one. */
export function CurrencyRow() {
  const me = useMe()
  const toast = useToast()
  const update = useUpdateProfile()
  const [chosen, setChosen] = useState<Choice>()
  /** Why the choice isn't saved yet. */
  const [problem, setProblem] = useState<(typeof PROBLEMS)[number]>()
  const giveUp = () => {
    setChosen(undefined)
    setProblem(undefined)
  }
  const choose = async (currency: Choice, relabel = false) => {
    setChosen(currency)
    try {
      await update.mutateAsync({ me, changes: { currency, ...(relabel && { relabel }) } })
      toast.success('Currency changed')
      giveUp()
    } catch (error) {
      const code = error instanceof CallFailed ? error.problem.code : undefined
      const known = PROBLEMS.find((one) => one === code)
      if (known) return setProblem(known)
      toast.error('Error', problemTitle(error, 'Failed to change the currency'))
      if (!problem) giveUp()
    }
  }
  const example = (currency: string, amount = 40) => formatAmount(amount, currencyOf(currency))
  return (
    <SettingRow
      title="Currency"
      line={`Used for every rate and amount in this ${me.workspace?.kind ?? 'account'}`}
    >
      <div className="only-select w-40">
        <SelectField
          label="Currency"
          value={chosen ?? me.currency}
          disabled={update.isPending}
          onChange={(event) => void choose(event.target.value as Choice)}
        >
          {CURRENCIES.map((code) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </SelectField>
      </div>
      {chosen && problem === 'amounts_exist' && (
        <ConfirmDialog
          title={`Change to ${chosen}?`}
          text={`Your rates, sessions and payments keep their numbers: ${example(me.currency)} becomes ${example(chosen)}.`}
          consequence="They’re relabeled, not converted. Months you closed with someone stay as they are."
          confirmLabel={`Change to ${chosen}`}
          busyText="Changing..."
          tone="primary"
          isBusy={update.isPending}
          onConfirm={() => void choose(chosen, true)}
          onCancel={giveUp}
        />
      )}
      {chosen && problem === 'decimals_exist' && (
        <AlertPanel title={`Your currency stays ${me.currency}`} onBack={giveUp}>
          <p className="mt-2 text-ink-2">
            {chosen} has no decimals, but some of your rates or amounts do, such as{' '}
            {example(me.currency, 40.5)}. Change those to whole amounts first.
          </p>
          <div className="mt-5 flex">
            <Button className="flex-1" onClick={giveUp}>
              Keep {me.currency}
            </Button>
          </div>
        </AlertPanel>
      )}
      {chosen && problem === 'other_currency' && (
        <AlertPanel title={`Your currency stays ${me.currency}`} onBack={giveUp}>
          <p className="mt-2 text-ink-2">
            You share sessions or payments with someone, and you both go by those amounts. So they stay in{' '}
            {me.currency}. To use {chosen}, end the connection first. You both keep your records.
          </p>
          <div className="mt-5 flex">
            <Button className="flex-1" onClick={giveUp}>
              Keep {me.currency}
            </Button>
          </div>
        </AlertPanel>
      )}
    </SettingRow>
  )
}
