import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { rightsGiven } from '#features/workspaces/naming.ts'
import { JoinWorkspace, OpenInvitation } from '#features/workspaces/workspace.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import { plainName } from '#kernel/plain-name.ts'
import { emailKey } from '#kernel/text.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldErrorsOf, fieldIn } from '#platform/ui/form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { canUsePasskeys, deviceProblem, makePasskey, NO_PASSKEYS } from '#features/passkeys/ceremony.web.ts'
import { SIGN_UP_CLOSED, StartPasskeySignUp } from './account.ts'
import { acceptLogin, signOut, switchWorkspace, useLogin } from './client.web.ts'
import { Consent } from './Consent.tsx'
import { forgetInvitation, keepInvitation, keptInvitation } from './Gate.tsx'
import { JoinAsNew, NewMember, NewMemberWithPassword } from './joining.ts'
import { SignUpPolicyContext } from './public-page.ts'

type Invitation = OutputOf<typeof OpenInvitation>

/**
 * Returns the token after # and removes it from the address bar. It stays in this history entry so that a
 * reload works, and in sessionStorage while someone signs in.
 */
function takeToken(): string {
  const state = history.state as { invitation?: string } | null
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get('token')
  const invitation = fromAddress ?? state?.invitation ?? keptInvitation() ?? ''
  forgetInvitation()
  history.replaceState({ ...state, invitation }, '', location.pathname)
  return invitation
}

/**
 * The page behind the link in an emailed invitation to a family or a practice. Opening the link isn't enough
 * to join; that takes a button press.
 */
export default function JoinPage() {
  const [token, setToken] = useState(takeToken)
  // Opening a second invitation in the same tab changes only the part after #.
  useEffect(() => {
    const take = () => setToken(takeToken())
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return (
    <PublicShell>
      <FormBoundary key={token}>
        <Opened token={token} />
      </FormBoundary>
    </PublicShell>
  )
}

function Opened({ token }: { token: string }) {
  const login = useLogin()
  const policy = useContext(SignUpPolicyContext)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    enabled: token !== '',
    queryFn: ({ signal }) => call(OpenInvitation, { token }, { signal }),
  })
  const [isOver, setIsOver] = useState(token === '')
  const { error } = invitation
  if (isOver || (error instanceof CallFailed && [404, 422].includes(error.problem.status))) return <Over />
  if (error)
    return <LoadFailed title="The invitation didn’t load" onRetry={() => void invitation.refetch()} />
  if (!invitation.data || login.status === 'loading')
    return (
      <Loading label="Opening the invitation...">
        <div className="sk h-8 w-64" />
        <div className="sk mt-4 h-5 w-full" />
        <div className="sk mt-7 h-12 w-full" />
      </Loading>
    )
  const { kind, role, owner_name: owner, email, has_account: hasAccount } = invitation.data
  const hasAllStudents = invitation.data.has_all_students
  const whose = owner ? `${plainName(owner, 'A user')}'s ${kind}` : `a ${kind}`
  const isTheirs = login.status === 'signed-in' && emailKey(login.user.email) === emailKey(email)
  return (
    <>
      <PageTitle title={`Join ${whose}`} />
      <p className="mt-3 text-lead text-ink-2">{rightsGiven(role, hasAllStudents)}</p>
      {login.status === 'signed-in' && !isTheirs && <OtherAddress email={email} mine={login.user.email} />}
      {isTheirs && (
        <JoinWithAccount token={token} invitation={invitation.data} onOver={() => setIsOver(true)} />
      )}
      {login.status === 'signed-out' &&
        (hasAccount ? (
          <SignInFirst token={token} email={email} />
        ) : policy === 'closed' ? (
          <p className="mt-5">{SIGN_UP_CLOSED.title}</p>
        ) : (
          <JoinForm
            token={token}
            email={email}
            onOver={() => setIsOver(true)}
            onAccount={() => void invitation.refetch()}
          />
        ))}
    </>
  )
}

function Over() {
  const login = useLogin()
  return (
    <Empty
      isPage
      title="This invitation no longer works"
      line={
        login.status === 'signed-in'
          ? "It's been used or withdrawn, or it's more than 14 days old. Ask for a new one if you still need it."
          : "It's been used or withdrawn, or it's more than 14 days old. If you've joined already, sign in. Otherwise, ask for a new one."
      }
      action={
        login.status === 'signed-in' ? (
          <ButtonLink to={paths.dashboard}>Go to dashboard</ButtonLink>
        ) : (
          <ButtonLink to={paths.login}>Sign In</ButtonLink>
        )
      }
    />
  )
}

function OtherAddress({ email, mine }: { email: string; mine: string }) {
  const [isBusy, setIsBusy] = useState(false)
  return (
    <>
      <p className="mt-5 [overflow-wrap:anywhere]">
        This invitation is for <strong className="font-semibold">{email}</strong>. You are signed in as{' '}
        <strong className="font-semibold">{mine}</strong>.
      </p>
      <div className="mt-7 grid gap-2">
        <Button
          busy={isBusy}
          busyText="Signing out..."
          onClick={() => {
            setIsBusy(true)
            void signOut()
          }}
        >
          Sign Out
        </Button>
        <ButtonLink tone="quiet" to={paths.dashboard} replace>
          Not now
        </ButtonLink>
      </div>
    </>
  )
}

function SignInFirst({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  return (
    <>
      <p className="mt-5 [overflow-wrap:anywhere]">
        <strong className="font-semibold">{email}</strong> already has an account.
      </p>
      <div className="mt-7 grid">
        <Button
          onClick={() => {
            keepInvitation(token)
            void navigate(paths.login)
          }}
        >
          Sign in to join
        </Button>
      </div>
    </>
  )
}

interface JoinWithAccountProps {
  token: string
  invitation: Invitation
  onOver: () => void
}

function JoinWithAccount({ token, invitation: { kind }, onOver }: JoinWithAccountProps) {
  const login = useLogin()
  const navigate = useNavigate()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const join = async () => {
    setIsBusy(true)
    try {
      const { id } = await call(JoinWorkspace, { token })
      await switchWorkspace(id)
      void navigate(paths.dashboard, { replace: true })
    } catch (error) {
      const problem = error instanceof CallFailed ? error.problem : undefined
      if (problem?.code === 'invitation_over') return onOver()
      setRefusal(problem?.code === 'both_sides' ? problem.title : undefined)
      toast.error('Error', refusalText(error))
      setIsBusy(false)
    }
  }
  const own = login.status === 'signed-in' ? login.user.workspace : undefined
  return (
    <>
      {own && (
        <p className="mt-5">
          {own.role === 'owner'
            ? `This won’t affect your ${own.kind}.`
            : 'This won’t affect what you have now.'}{' '}
          You can switch between them in the account menu.
        </p>
      )}
      <FormAlert text={refusal} className="mt-5" />
      <div className="mt-7 grid gap-2">
        <Button busy={isBusy} busyText="Joining..." onClick={() => void join()}>
          Join the {kind}
        </Button>
        <ButtonLink tone="quiet" to={paths.dashboard} replace>
          Not now
        </ButtonLink>
      </div>
    </>
  )
}

interface JoinFields {
  full_name: string
  password: string
}

interface JoinFormProps {
  token: string
  email: string
  onOver: () => void
  /** Called if an account was created for the address in the meantime. */
  onAccount: () => void
}

/** For someone without an account: one press creates and confirms the account, and signs them in. */
function JoinForm({ token, email, onOver, onAccount }: JoinFormProps) {
  const navigate = useNavigate()
  const toast = useToast()
  const [isPasskey, setIsPasskey] = useState(false)
  const toInput = ({ full_name: name, password }: JoinFields) => ({
    token,
    ...(!isPasskey && { password }),
    ...(name.trim() ? { full_name: name } : {}),
  })
  const form = useForm<JoinFields>({
    resolver: checkedBy(isPasskey ? NewMember : NewMemberWithPassword, toInput),
    defaultValues: { full_name: '', password: '' },
  })
  const { isSubmitting } = form.formState
  const [refusal, setRefusal] = useState<string>()
  const join = form.handleSubmit(async (fields) => {
    if (isSubmitting) return
    try {
      const made = isPasskey && { passkey: await makePasskey(await call(StartPasskeySignUp, { email })) }
      acceptLogin(await call(JoinAsNew, { ...toInput(fields), ...made }))
      void navigate(paths.dashboard, { replace: true })
    } catch (error) {
      const problem = error instanceof CallFailed ? error.problem : undefined
      if (problem?.code === 'invitation_over') return onOver()
      if (problem?.code === 'has_account') onAccount()
      for (const { field, message } of fieldErrorsOf(error))
        form.setError(field as keyof JoinFields, { message }, { shouldFocus: true })
      setRefusal(problem?.code === 'both_sides' ? problem.title : undefined)
      toast.error('Error', deviceProblem(error) ?? refusalText(error))
    }
  })
  return (
    <>
      <form method="post" className="mt-6 grid gap-4" onSubmit={join} noValidate>
        <TextField label="Email" type="email" autoComplete="username" value={email} readOnly />
        <TextField
          label="Your name"
          autoComplete="name"
          help="You can leave this blank."
          {...fieldIn(form, 'full_name')}
        />
        {isPasskey ? (
          <p className="text-ink-2">
            When you join, your device asks for your fingerprint, face or screen lock and keeps a passkey. You
            won’t need a password.
          </p>
        ) : (
          <PasswordField
            label="Choose a password"
            autoComplete="new-password"
            {...fieldIn(form, 'password')}
          />
        )}
        <FormAlert text={refusal} />
        <Button type="submit" busy={isSubmitting} busyText="Joining...">
          Join
        </Button>
        <Button
          tone="quiet"
          onClick={() =>
            isPasskey || canUsePasskeys() ? setIsPasskey(!isPasskey) : toast.error('Error', NO_PASSKEYS)
          }
        >
          {isPasskey ? 'Use a password instead' : 'Use a passkey instead'}
        </Button>
      </form>
      <Consent by="joining" />
    </>
  )
}
