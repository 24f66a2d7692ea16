# Prints what zsh makes of a line and Tab: zsh -f tab.zsh COMPLETION LINE
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; autoload -Uz compinit; compinit -u -D; source $1; print READY"
while zpty -r -t z line || sleep 0.1; do [[ $line == *READY*READY* || $line == READY* ]] && break; done
zpty -n -w z "$2"$'\t'
for i in {1..50}; do
  sleep 0.1
  while zpty -r -t z line; do all+=$line; done
  [[ $all == *"$2"?* ]] && break
done
print -r -- "$all" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g'
zpty -d z
