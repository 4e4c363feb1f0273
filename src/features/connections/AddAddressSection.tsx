import { useState } from 'react'
import { CallFailed, refusalText } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { forgetDraft, keepDraft, readDraft } from '#platform/ui/draft.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { useGiveAddress } from './client.web.ts'

const DRAFT = 'link-address'

/**
 * Lets whoever was handed a link add an email address, which is what an account needs to take over.
 * @param props.asked the address that the last email went to, if it hasn't been answered yet
 */
export function AddAddressSection({ asked }: { asked: string | null }) {
  const give = useGiveAddress()
  const [email, setEmail] = useState(() => readDraft<{ email: string }>(DRAFT)?.email ?? '')
  const [sent, setSent] = useState(asked)
  const [error, setError] = useState<string>()
  const submit = async () => {
    try {
      const { is_confirmed: isConfirmed } = await give.mutateAsync(email)
      forgetDraft(DRAFT)
      setEmail('')
      if (isConfirmed) await queryClient.invalidateQueries({ queryKey: ['link'] })
      else setSent(email.trim())
    } catch (failure) {
      const failed = failure instanceof CallFailed ? failure.errorOf('email') : undefined
      setError(failed ?? refusalText(failure, 'The address could not be saved. Please try again.'))
    }
  }
  return (
    <section className="card mt-7 p-5">
      <h2>Come back to this page</h2>
      <p className="mt-1.5 text-ink-2">
        Bookmark it: it opens only in this browser. With an email address, you get an email when there’s
        something new, and can open an account that all of this comes to.
      </p>
      {sent && (
        <p role="status" className="mt-3 wrap-anywhere">
          We sent an email to <b>{sent}</b>. Use the button in it.
        </p>
      )}
      <Disclosure
        title={sent ? 'Use another address' : 'Add an email address'}
        mustShow={email !== ''}
        className="mt-2"
      >
        <form
          noValidate
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <TextField
            label="Email"
            type="email"
            autoComplete="email"
            value={email}
            error={error}
            onChange={(event) => {
              setEmail(event.target.value)
              setError(undefined)
              keepDraft(DRAFT, { email: event.target.value })
            }}
          />
          <Button type="submit" tone="secondary" busy={give.isPending} busyText="Sending...">
            Add this address
          </Button>
        </form>
      </Disclosure>
    </section>
  )
}
