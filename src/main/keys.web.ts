// Whether single-key shortcuts are on for this device. People who use speech input or have a tremor can turn
// them off (WCAG 2.2, success criterion 2.1.4).
const OFF = 'tutorlog.single-keys-off'

export function areKeysOn(): boolean {
  return localStorage.getItem(OFF) === null
}

export function setKeysOn(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, '1')
}
