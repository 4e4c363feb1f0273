import { useForm } from 'react-hook-form'
import { call } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy, fieldErrorsOf, fieldIn } from '#platform/ui/form.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { contactAddress } from './address.ts'
import { Message, type MessageFields, SendMessage, toMessage } from './contact.ts'
import { SiteFooter } from './parts/SiteFooter.tsx'

const EMPTY: MessageFields = { name: '', email: '', subject: '', message: '' }
const DRAFT = 'contact'

export default inFormBoundary(ContactPage, () => DRAFT)

function ContactPage() {
  const toast = useToast()
  // After the first submit, errors are updated while the user types. If an error disappeared on blur instead,
  // the button would move just as it's tapped.
  const form = useForm<MessageFields>({
    resolver: checkedBy(Message, toMessage),
    reValidateMode: 'onChange',
    defaultValues: withDraft(DRAFT, EMPTY),
  })
  useDraft(DRAFT, form)
  const {
    handleSubmit,
    setError,
    reset,
    formState: { isSubmitting },
  } = form
  const address = contactAddress()

  const { problem, fail, clear } = useFailure()
  const submit = handleSubmit(async (fields) => {
    clear()
    try {
      await call(SendMessage, toMessage(fields))
      forgetDraft(DRAFT)
      reset(EMPTY)
      toast.success('Message sent successfully!', "Thank you for contacting us. We'll get back to you soon.")
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error))
        setError(field as keyof MessageFields, { message })
      fail(error, 'Failed to send message. Please try again.')
    }
  })

  return (
    <>
      <PublicShell>
        <PageTitle
          title="Contact"
          subtitle="Have a question or an idea? Found something that doesn’t work? Write to us."
        />
        <form className="mt-6 grid gap-4" onSubmit={submit} noValidate>
          <TextField label="Name" required autoComplete="name" {...fieldIn(form, 'name')} />
          <TextField label="Email" type="email" required autoComplete="email" {...fieldIn(form, 'email')} />
          <TextField label="Subject" required autoComplete="off" {...fieldIn(form, 'subject')} />
          <TextArea label="Message" required rows={6} {...fieldIn(form, 'message')} />
          <FormAlert text={problem} />
          <Button type="submit" busy={isSubmitting} busyText="Sending...">
            Send Message
          </Button>
        </form>
        <p className="mt-6 text-ink-2">
          You can also email us at{' '}
          <a className="link inline-flex min-h-11 items-center break-all" href={`mailto:${address}`}>
            {address}
          </a>
        </p>
      </PublicShell>
      <SiteFooter />
    </>
  )
}
