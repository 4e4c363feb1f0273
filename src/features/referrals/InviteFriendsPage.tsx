import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { signUpPolicy } from '#features/site/address.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { forgetDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy, fieldErrorsOf, fieldIn } from '#platform/ui/form.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useInviteFriend, useReferral } from './client.web.ts'
import { CopyCard } from './CopyCard.tsx'
import {
  EMAIL_MISSING,
  type InvitationFields,
  invitationText,
  NewInvitation,
  senderName,
  writeInvitation,
} from './invitation.ts'
import { PreviewCard } from './PreviewCard.tsx'
import { RewardLine } from './RewardLine.tsx'

const EMPTY: InvitationFields = { friend_name: '', friend_email: '' }
const DRAFT = 'invitation'

export default function InviteFriendsPage() {
  if (signUpPolicy() !== 'open')
    return (
      <>
        <PageTitle title="Invite Friends" />
        <div className="mt-5">
          <Empty
            title="Friends can’t sign up on this server"
            line="Whoever runs it decides who gets an account."
          />
        </div>
      </>
    )
  return (
    <FormBoundary draft={DRAFT}>
      <Invitations />
    </FormBoundary>
  )
}

function Invitations() {
  const me = useMe()
  const toast = useToast()
  const referral = useReferral()
  const invite = useInviteFriend()
  // A retry with unchanged content reuses the idempotency key, so only one email goes out.
  const [tried, setTried] = useState({ content: '', key: '' })
  // Errors update as you type after the first submit. Updating them on blur would move the button just as you
  // tap it.
  const form = useForm<InvitationFields>({
    resolver: checkedBy(NewInvitation, (fields) => fields),
    reValidateMode: 'onChange',
    defaultValues: withDraft(DRAFT, EMPTY),
  })
  useDraft(DRAFT, form)
  const { handleSubmit, setError, reset, control } = form

  const friendName = useWatch({ control, name: 'friend_name' })

  const { problem, fail, clear } = useFailure()
  const submit = handleSubmit(
    async (fields) => {
      clear()
      const content = JSON.stringify(fields)
      const attempt = tried.content === content ? tried : { content, key: newId() }
      setTried(attempt)
      try {
        await invite.mutateAsync({ input: fields, idempotencyKey: attempt.key })
        forgetDraft(DRAFT)
        reset(EMPTY)
        setTried({ content: '', key: '' })
        toast.success('Invitation sent!', fields.friend_email.trim())
      } catch (error) {
        for (const { field, message } of fieldErrorsOf(error))
          setError(field as keyof InvitationFields, { message })
        if (error instanceof CallFailed && error.problem.status === 429)
          setError('friend_email', { message: error.problem.title })
        fail(error, 'Failed to send invitation. Please try again.')
      }
    },
    ({ friend_email: email }) => {
      if (email?.message === EMAIL_MISSING) toast.error('Error', EMAIL_MISSING)
    },
  )

  if (referral.isError)
    return (
      <>
        <PageTitle title="Invite Friends" />
        <div className="mt-5">
          <LoadFailed title="Your invitation didn’t load" onRetry={() => void referral.refetch()} />
        </div>
      </>
    )
  const invitation =
    referral.data &&
    writeInvitation(
      senderName(me),
      friendName,
      me.takes_payments
        ? { trialDays: referral.data.trial_days, bonusDays: referral.data.bonus_days }
        : undefined,
    )
  return (
    <div className="max-w-[64rem]">
      <PageTitle
        title="Invite Friends"
        subtitle="Know a family or tutor who could use Tutorlog? Invite them."
      />
      {referral.data ? (
        <div className="card mt-5 grid gap-1 p-5">
          <RewardLine referral={referral.data} />
        </div>
      ) : (
        <Loading label="Loading your invitation">
          <div className={me.takes_payments ? 'sk mt-5 h-[8.5rem] md:h-[6rem]' : 'sk mt-5 h-[4.125rem]'} />
        </Loading>
      )}
      <div className="mt-5 grid items-start gap-7 lg:grid-cols-2">
        <section aria-labelledby="send">
          <SectionHeading>
            <span id="send">Send an invitation</span>
          </SectionHeading>
          <form className="card grid gap-4 p-5" onSubmit={submit} noValidate>
            <TextField
              label="Friend's Name"
              help="If you leave it blank, the email says 'Hey there!'"
              autoComplete="off"
              {...fieldIn(form, 'friend_name')}
            />
            <TextField
              label="Friend's Email"
              type="email"
              required
              autoComplete="off"
              {...fieldIn(form, 'friend_email')}
            />
            <FormAlert text={problem} />
            <Button type="submit" busy={invite.isPending} busyText="Sending...">
              Send Invitation
            </Button>
            <p className="help">
              We delete your friend’s address after 30 days. The email includes a link to stop all
              invitations.
            </p>
          </form>
        </section>
        {invitation ? (
          <PreviewCard invitation={invitation} />
        ) : (
          <div className="late" aria-hidden="true">
            <div className="sk mt-14 h-72" />
          </div>
        )}
        {invitation && <CopyCard text={invitationText(invitation, referral.data.link)} />}
      </div>
    </div>
  )
}
