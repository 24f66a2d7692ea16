# Prints what zsh makes of a line and Tab: zsh -f tab.zsh COMPLETION LINE
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; autoload -Uz compinit; compinit -u -D; source $1; print READY"
for i in {1..100}; do
  zpty -r -t z line && ready+=$line
  [[ $ready == *$'\n'READY* ]] && break
  sleep 0.1
done
zpty -n -w z "$2"$'\t'
for i in {1..50}; do
  sleep 0.1
  while zpty -r -t z line; do all+=$line; done
  [[ $all == *"$2"?* ]] && break
done
print -r -- "$all" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g'
zpty -d z
