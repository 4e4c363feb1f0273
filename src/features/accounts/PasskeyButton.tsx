import { useEffect, useEffectEvent, useState } from 'react'
import {
  canSuggestPasskeys,
  canUsePasskeys,
  deviceProblem,
  NO_PASSKEYS,
  stopAsking,
  askForPasskey,
} from '#features/passkeys/ceremony.web.ts'
import { type UsedPasskey, StartPasskeySignIn } from '#features/passkeys/passkey.ts'
import { call, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { SignInWithPasskey } from './account.ts'
import { acceptLogin } from './client.web.ts'

/** When to ask for a new challenge, before the last one no longer holds (passkeys/commands.server.ts). */
const ASK_AGAIN_MS = 8 * 60_000

interface PasskeyButtonProps {
  label: string
  onUsed: (passkey: UsedPasskey) => Promise<void>
  /** Called if nothing came of it. */
  onFailed?: () => void
}

/** A button that has the browser ask for one of the person's passkeys. */
export function PasskeyButton({ label, onUsed, onFailed }: PasskeyButtonProps) {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const use = async () => {
    if (!canUsePasskeys()) return toast.error('Error', NO_PASSKEYS)
    setIsBusy(true)
    try {
      await onUsed(await askForPasskey(await call(StartPasskeySignIn, {})))
    } catch (error) {
      toast.error('Login failed', deviceProblem(error) ?? refusalText(error))
      onFailed?.()
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button tone="secondary" busy={isBusy} busyText="Waiting for your passkey..." onClick={() => void use()}>
      {label}
    </Button>
  )
}

/** Signs in with a passkey: from the suggestions of the email field, or with the button. */
export function PasskeySignIn() {
  const toast = useToast()
  const [turn, setTurn] = useState(0)
  const signIn = async (passkey: UsedPasskey) => acceptLogin(await call(SignInWithPasskey, { passkey }))
  const suggest = useEffectEvent(async (isOver: () => boolean) => {
    const passkey = await suggested(isOver)
    if (passkey)
      await signIn(passkey).catch((error: unknown) => toast.error('Login failed', refusalText(error)))
  })
  useEffect(() => {
    let isOver = false
    void suggest(() => isOver)
    const timer = setTimeout(() => setTurn(turn + 1), ASK_AGAIN_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      // Without a network, there may be nothing to stop it with.
      void stopAsking().catch(() => undefined)
    }
  }, [turn])
  // The button ended the suggestions, so they start again.
  return <PasskeyButton label="Use a passkey" onUsed={signIn} onFailed={() => setTurn(turn + 1)} />
}

/** The passkey that someone picked from the browser's suggestions. Nobody asked for them, so failures are silent. */
async function suggested(isOver: () => boolean): Promise<UsedPasskey | undefined> {
  try {
    if (!(await canSuggestPasskeys())) return undefined
    const options = await call(StartPasskeySignIn, {}, { isSilent: true })
    return isOver() ? undefined : await askForPasskey(options, true)
  } catch {
    return undefined
  }
}
