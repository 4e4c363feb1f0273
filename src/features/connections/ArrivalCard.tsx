import { useContext } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { acceptMe, useMe } from '#features/accounts/client.web.ts'
import { UpdateMe } from '#features/accounts/profile.ts'
import { QuietAnswers } from '#features/agreements/AnswerRow.tsx'
import { useOwnTutor, useSetOwnRate } from '#features/tutors/client.web.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'
import { amountInField, inCurrency, Rate } from '#kernel/money.ts'
import { optionalText } from '#kernel/text.ts'
import { typedNumberOrNull } from '#kernel/typed-number.ts'
import { call } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import type { Connection } from './connection.ts'

export type Arriving = Connection & { arriving: NonNullable<Connection['arriving']> }

interface ArrivalCardProps {
  connection: Arriving
  /** Accepts the request, so that the sessions are added. Throws if that failed. */
  onAdd: () => Promise<unknown>
  onDecline: () => void
}

interface ArrivalFields {
  full_name: string
  hourly_rate: string
}

const ArrivalInput = z.strictObject({
  full_name: optionalText(120),
  hourly_rate: z.nullable(Rate),
})

/**
 * The first thing that a tutor who opens an account from an emailed link sees: the sessions that come along, with
 * the rate filled in from the latest one.
 */
export function ArrivalCard(props: ArrivalCardProps) {
  const draft = `arrival:${props.connection.id}`
  return (
    <FormBoundary draft={draft}>
      <ArrivalForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function ArrivalForm({ connection, onAdd, onDecline, draft }: ArrivalCardProps & { draft: string }) {
  const { currency, full_name: name } = useMe()
  const own = useOwnTutor()
  const saveRate = useSetOwnRate()
  const { arriving, people } = connection
  const form = useForm<ArrivalFields>({
    resolver: checkedBy(
      ArrivalInput,
      ({ full_name, hourly_rate }) => ({ full_name, hourly_rate: typedNumberOrNull(hourly_rate) }),
      { currency, fields: ['hourly_rate'] },
    ),
    defaultValues: withDraft<ArrivalFields>(draft, {
      full_name: name ?? '',
      hourly_rate: amountInField(own?.hourly_rate ?? arriving.hourly_rate, currency),
    }),
  })
  const { submit, problem } = useEntryForm(form, {
    draft,
    save: async ({ full_name, hourly_rate }) => {
      if (full_name.trim() !== (name ?? '')) acceptMe(await call(UpdateMe, { full_name }))
      await saveRate.mutateAsync({ hourly_rate: typedNumberOrNull(hourly_rate) })
      await onAdd()
    },
    onDone: () => undefined,
    success: `Your sessions with ${nameOfOther(connection, 'tutor')} were added`,
    failure: 'Your sessions could not be added. Please try again.',
  })
  const count = arriving.sessions === 1 ? '1 session' : `${arriving.sessions} sessions`
  const title = `${count} with ${nameOfOther(connection, 'tutor')} ${arriving.sessions === 1 ? 'is' : 'are'} here`
  return (
    <form className="rounded-lg bg-accent-soft p-5" aria-labelledby="arrival" onSubmit={submit} noValidate>
      <h2 id="arrival" className="wrap-anywhere">
        {title}
      </h2>
      <p className="mt-1.5 text-ink-2">
        They’re added with everything you’ve both confirmed
        {people.length > 0 &&
          `, and ${people.map(({ first_name: first }) => first).join(', ')} to your students`}
        . Your rate applies to sessions you log from now on.
      </p>
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <TextField
          label="Your name"
          help="The family sees it with your sessions"
          autoComplete="name"
          error={form.formState.errors.full_name?.message}
          {...form.register('full_name')}
        />
        <FormAmountField
          control={form.control}
          name="hourly_rate"
          label={inCurrency('Hourly rate ($/hour)', currency)}
        />
      </div>
      <FormAlert text={problem} className="mt-3" />
      <div className="mt-4 flex gap-3">
        <Button tone="secondary" onClick={onDecline}>
          Decline
        </Button>
        <Button
          type="submit"
          tone={useContext(QuietAnswers) ? 'secondary' : 'primary'}
          className="flex-1 md:flex-none md:px-10"
          busy={form.formState.isSubmitting}
          busyText="Adding..."
        >
          Add them
        </Button>
      </div>
    </form>
  )
}
