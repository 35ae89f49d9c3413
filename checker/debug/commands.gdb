# What gdb knows in make debug, beyond its own commands. docs/debugging.md tells how they are used.

set confirm off
set pagination off
set debuginfod enabled off
set print inferior-events off
set print thread-events off
set print frame-arguments all
set breakpoint pending on
set auto-load libthread-db off
skip -gfi */checker/*
handle SIGALRM nostop noprint nopass

# Selects the student's frame that is nearest: the simulator's own lie inside of it.
define yours
  set $deeper = 0
  while $deeper < 200 && ($pc < debug_code[0] || $pc >= debug_code[1])
    set $deeper = $deeper + 1
    up-silently
  end
  # What launches a kernel is a function that the compiler made.
  if debug_launch != 0 && $pc - debug_code[0] != debug_launch
    up-silently
  end
end
document yours
Selects the innermost frame that is yours: the simulator's lie inside of it.
end

# How far a thread of the block has come, in $state: 0 here, 1 not begun, 2 returned, 3 at a __syncthreads(), 4 at an operation
# of its warp, 5 able to go on; and where, in $at.
define state_of
  set $bit = 1u << ($arg0 % 32)
  set $warp = &sim_block.warp[$arg0 / 32]
  set $at = (long)sim_block.thread[$arg0].pc
  set $state = 4
  if $warp->ready & $bit
    set $state = 5
  end
  if $warp->at_barrier & $bit
    set $state = 3
  end
  if $warp->unstarted & $bit
    set $state = 1
    set $at = (long)0
  end
  if $warp->exited & $bit
    set $state = 2
    set $at = (long)0
  end
  if sim_current == &sim_block.thread[$arg0]
    set $state = 0
    set $at = (long)0
  end
end

define say_threads
  if $from == $to
    printf "  thread %d: ", $from
  else
    printf "  threads %d to %d: ", $from, $to
  end
  if $was == 0
    printf "here\n"
  end
  if $was == 1
    printf "not begun\n"
  end
  if $was == 2
    printf "returned\n"
  end
  if $was == 3
    printf "at __syncthreads(), "
  end
  if $was == 4
    printf "at an operation of the warp, "
  end
  if $was == 5
    printf "waiting for a turn, "
  end
  if $was > 2
    set listsize 1
    list *($was_at - 1)
    set listsize 10
  end
end

define block
  if !debug_has_threads
    printf "This exercise is plain C: it has no blocks.\n"
  else
    if sim_current == 0
      printf "No kernel is running: this is host code.\n"
    else
      block_now
    end
  end
end
document block
The kernel, the block and the thread in which the program has stopped, and where the block's other threads are.
end

define block_now
  printf "kernel %s, grid (%u,%u,%u), blocks of (%u,%u,%u) threads\n", sim_block.launch->name, sim_block.launch->grid[0], sim_block.launch->grid[1], sim_block.launch->grid[2], sim_block.launch->block[0], sim_block.launch->block[1], sim_block.launch->block[2]
  set $number = (int)(sim_current - sim_block.thread)
  printf "block (%u,%u,%u), thread (%u,%u,%u): warp %d, lane %d\n", sim_block.index[0], sim_block.index[1], sim_block.index[2], sim_current->x, sim_current->y, sim_current->z, $number / 32, $number % 32
  set $from = 0
  set $next = 0
  set $lines = 0
  set $was = -1
  set $was_at = (long)0
  while $next < sim_block.threads && $lines < 40
    state_of $next
    if $next > 0 && ($state != $was || $at != $was_at)
      set $to = $next - 1
      say_threads
      set $from = $next
      set $lines = $lines + 1
    end
    set $was = $state
    set $was_at = $at
    set $next = $next + 1
  end
  set $to = $next - 1
  say_threads
  if $next < sim_block.threads
    printf "  ...\n"
  end
end

# ---- shared memory ----

define shared
  if !debug_has_threads
    printf "This exercise is plain C: it has no shared memory.\n"
  else
    if $argc == 0
      shared_list
    end
    if $argc > 0
      set $holder = &'checker/simulator/shared.c'::dynamic
      set $k = 0
      while $k < 'checker/simulator/shared.c'::variable_count
        if (unsigned long)&$arg0 == 'checker/simulator/shared.c'::variables[$k].start
          set $holder = &'checker/simulator/shared.c'::variables[$k]
        end
        set $k = $k + 1
      end
      set $each = sizeof($arg0[0])
      set $count = $holder->bytes / $each
      if $holder == &'checker/simulator/shared.c'::dynamic
        set $count = (sim_block.launch->dynamic_shared - ((unsigned long)&$arg0 - $holder->start)) / $each
      end
      printf "%lu elements of %lu bytes\n", $count, $each
      set $element = 0
      set $end = $count
    end
    if $argc == 2
      set $element = $arg1
      set $end = $arg1 + 1
    end
    if $argc == 3
      set $element = $arg1
      set $end = $arg2 + 1
    end
    if $argc > 0
      if $end > $count
        set $end = $count
      end
      set $begin = $element
      set $first = $element
      while $element < $end
        if $argc == 1 && $count > 64 && $element == 32
          printf "\n  ..."
          set $element = $count - 32
          set $first = $element
        end
        if ($element - $first) % 8 == 0
          if $element != $begin
            printf "\n"
          end
          printf "%6lu:", $element
        end
        set $byte = (unsigned long)&$arg0 - $holder->start + $element * $each
        set $last_byte = $byte + $each
        set $written = 1
        while $byte < $last_byte && $written
          if $holder->block[$byte / 4] != sim_block.number || !($holder->written[$byte / 4] & (1 << $byte % 4))
            set $written = 0
          end
          set $byte = $byte + 1
        end
        if $written
          printf "  "
          output $arg0[$element]
        else
          printf "  unwritten"
        end
        set $element = $element + 1
      end
      printf "\n"
    end
  end
end
document shared
shared: the shared arrays. shared NAME [FIRST [LAST]]: what this one, as the selected frame knows it, holds for this block.
end

# The compiler leaves extern arrays out of what gdb is told.
define dynamic
  if $argc == 0
    shared (*(float(*)[58112])&sim_dynamic_shared)
  end
  if $argc == 1
    shared (*(float(*)[58112])&sim_dynamic_shared) $arg0
  end
  if $argc == 2
    shared (*(float(*)[58112])&sim_dynamic_shared) $arg0 $arg1
  end
end
document dynamic
dynamic [FIRST [LAST]]: what dynamic shared memory (extern __shared__) holds for this block, as float.
end

define shared_list
  set $k = 0
  if debug_array_count == 0
    printf "There are no shared arrays with a size of their own.\n"
  end
  while $k < debug_array_count
    printf "%s, %lu bytes\n", debug_arrays[$k].name, debug_arrays[$k].bytes
    set $k = $k + 1
  end
  if sim_current != 0
    if sim_block.launch->dynamic_shared > 0
      printf "extern __shared__, %lu bytes: see `dynamic`\n", sim_block.launch->dynamic_shared
    end
  end
end

# ---- rows ----

# The call that is running, or that launched the kernel which is, in $call.
define find_call
  set $call = &debug_calls[debug_last_call]
  if debug_has_threads
    if sim_current != 0
      if sim_block.launch->step >= 0
        set $call = &debug_calls[sim_block.launch->step]
      end
    end
  end
end

define type_name
  if $matrix->type == 0
    printf "FP32"
  end
  if $matrix->type == 1
    printf "FP64"
  end
  if $matrix->type == 2
    printf "FP16"
  end
  if $matrix->type == 14
    printf "BF16"
  end
end

define buffers
  find_call
  printf "in a call of %s\n", $call->function
  set $m = 0
  while $m < 4
    set $matrix = &$call->matrix[$m]
    if $matrix->name != 0
      printf "%s: %ld x %ld, pitch %ld, ", $matrix->name, $matrix->rows, $matrix->cols, $matrix->pitch
      type_name
      printf ", at 0x%lx\n", $matrix->start
    end
    set $m = $m + 1
  end
end
document buffers
The call that is running, or whose kernel is, and its matrices.
end

define say_element
  set $written = 1
  set $place = $arg0 * $matrix->bytes
  set $b = 0
  while $b < $matrix->bytes && $matrix->written != 0
    if !$matrix->written[$place + $b]
      set $written = 0
    end
    set $b = $b + 1
  end
  set $place = $matrix->start + $place
  # Nobody notes what plain C writes, but the poison of 0xFF that it began with is no number that comes out.
  if $matrix->written == 0 && *(long *)$place == -1
    set $written = 0
  end
  if !$written
    printf "     unwritten"
  else
    if $matrix->type == 0
      printf " %13.7g", *(float *)$place
    end
    if $matrix->type == 1
      printf " %13.10g", *(double *)$place
    end
    if $matrix->type == 2
      printf " %13.7g", debug_half[*(unsigned short *)$place]
    end
    if $matrix->type == 14
      printf " %13.7g", debug_bfloat16[*(unsigned short *)$place]
    end
  end
end

define say_columns
  set $col = $arg0
  while $col <= $arg1
    if ($col - ($arg0)) % 8 == 0
      if $col > $arg0
        printf "\n"
      end
      printf "%7ld:", $col
    end
    say_element ($row*$matrix->pitch+$col)
    set $col = $col + 1
  end
  printf "\n"
end

define row
  if $argc == 0
    printf "Which row? row 3, or row 3 1000 1024 for some of its columns.\n"
  else
    find_call
    set $row = (long)$arg0
    set $first = (long)0
    set $last = (long)-1
    if $argc > 1
      set $first = (long)$arg1
      set $last = $first
    end
    if $argc > 2
      set $last = (long)$arg2
    end
    set $m = 0
    while $m < 4
      set $matrix = &$call->matrix[$m]
      if $matrix->name != 0
        row_of_matrix
      end
      set $m = $m + 1
    end
  end
end
document row
row R [FIRST [LAST]]: that row of each matrix of the call, whole or these columns; "unwritten" where nobody has stored.
end

define row_of_matrix
  if $row < 0 || $row >= $matrix->rows
    printf "%s has rows 0 to %ld\n", $matrix->name, $matrix->rows - 1
  else
    printf "%s, row %ld of %ld, %ld columns, ", $matrix->name, $row, $matrix->rows, $matrix->cols
    type_name
    printf "\n"
    set $to = $last
    if $to < 0 || $to >= $matrix->cols
      set $to = $matrix->cols - 1
    end
    if $last < 0 && $matrix->cols > 32
      say_columns 0 15
      printf "    ...\n"
      say_columns $matrix->cols-16 $to
    else
      if $first > $to
        printf "%7ld: there is no such column\n", $first
      else
        say_columns $first $to
      end
    end
  end
end

define go_to
  set var debug_wanted = $arg0
  continue
end
document go_to
go_to N: stands in thread N of the block, where it waits; continue comes back. Works where make debug has stopped.
end

# ---- from the place where it has stopped ----

# What gdb stops in lies within the access: first back to the line itself.
define onward
  select-frame 0
  if $pc - (long)&debug_reached < 16 && $pc >= (long)&debug_reached
    if debug_goes_on
      yours
      eval "tbreak *%p", $pc
      continue
    else
      printf "Nothing comes after this: the kernel, or the program, ends here. Set a breakpoint before it, and run.\n"
    end
  end
end
define hook-next
  onward
end
define hook-step
  onward
end

# ---- to the place ----

break debug_reached
commands
  silent
  if debug_is_yours
    yours
  end
  if $arrived
    frame
  end
end

# It stands before a kernel or a function: on to its first line. It stands before the call that writes the byte that is
# wrong: on to the write. Else it is there, or a signal has struck.
define arrive
  if $_isvoid($_exitcode)
    if debug_kernel[0] != 0
      # Where gdb takes a kernel's code to begin, its second stack (instrument/stacks.c) is not set up yet.
      eval "tbreak %s", debug_kernel
      continue
      next
    end
    if debug_function[0] != 0
      eval "tbreak %s", debug_function
      continue
    end
    if debug_written != 0
      eval "watch *(double *)%p", debug_written
      continue
    end
    printf "\n%s\n", debug_told
    # The breakpoint's own commands, which come after this, show the frame; after a signal or another stop nobody does.
    if $pc < (long)&debug_reached || $pc >= (long)&debug_reached + 16
      if $pc < debug_code[0] || $pc >= debug_code[1]
        yours
      end
      frame
    end
  else
    printf "The check was made again to its end, and did not come to the place where it failed before.\n"
  end
  set $arrived = 1
end
define hook-run
  set $arrived = 0
end
define hookpost-run
  arrive
end
run
