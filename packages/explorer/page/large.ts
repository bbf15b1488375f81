import { h } from './dom.ts'

/** The button that shows the picture of the contexts alone and large, as for a talk. Escape goes back. */
export function largeButton(): HTMLElement {
  const button = h('button', { type: 'button', class: 'large', 'aria-pressed': 'false' }, 'Large picture')
  const show = (isLarge: boolean): void => {
    document.body.classList.toggle('talk', isLarge)
    button.setAttribute('aria-pressed', String(isLarge))
    button.textContent = isLarge ? 'Back to the page' : 'Large picture'
  }
  button.addEventListener('click', () => show(!document.body.classList.contains('talk')))
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && document.body.classList.contains('talk')) show(false)
  })
  return button
}
